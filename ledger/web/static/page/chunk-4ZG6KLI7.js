var[a,o]=[10,30],i=t=>navigator.userActivation?.hasBeenActive&&navigator.vibrate?.(t);export{a,o as b,i as c};
