var e=Object.defineProperty;var n=(D,a)=>{for(var j in a)e(D,j,{get:a[j],enumerable:!0})};var s={ja:"/page/ja-E52D786D.json"};export{n as a,s as b};
