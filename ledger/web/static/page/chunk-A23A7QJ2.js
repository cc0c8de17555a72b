var g=Object.defineProperty;var o=(e,a)=>{for(var j in a)g(e,j,{get:a[j],enumerable:!0})};var C={ja:"/page/ja-539D3F3C.json"};export{o as a,C as b};
