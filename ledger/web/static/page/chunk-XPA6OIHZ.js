var e=Object.defineProperty;var n=(E,a)=>{for(var j in a)e(E,j,{get:a[j],enumerable:!0})};var s={ja:"/page/ja-4ECB6E2E.json"};export{n as a,s as b};
