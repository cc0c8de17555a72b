/**
 * What happens at the table is felt, where a phone can and its browser lets it.
 */

/** In milliseconds. */
export const [RECORDED, SOLD] = [10, 30];

/** @param {number} milliseconds */
export const feel = (milliseconds) => navigator.userActivation?.hasBeenActive && navigator.vibrate?.(milliseconds);
