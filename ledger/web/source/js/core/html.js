/**
 * What every view is written with: templates (htm) over Preact, and signals.
 */
import { h, render } from "preact";
import htm from "htm";

/** A template that makes Preact's nodes: html`<p>${name}</p>`. */
export const html = htm.bind(h);

export { render };
export { useEffect, useLayoutEffect, useRef, useState, useMemo, useId } from "preact/hooks";
export { signal, computed, effect, batch, useSignal, useComputed, useSignalEffect } from "@preact/signals";
