var g=Object.defineProperty;var o=(e,a)=>{for(var j in a)g(e,j,{get:a[j],enumerable:!0})};var A={ja:"/page/ja-5A4605E5.json"};export{o as a,A as b};
