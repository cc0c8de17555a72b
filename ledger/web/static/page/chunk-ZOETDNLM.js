var E=Object.defineProperty;var g=(D,a)=>{for(var j in a)E(D,j,{get:a[j],enumerable:!0})};var p={ja:"/page/ja-5DA8FEDE.json"};export{g as a,p as b};
