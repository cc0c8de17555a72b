var b=Object.defineProperty;var l=(e,a)=>{for(var j in a)b(e,j,{get:a[j],enumerable:!0})};var p={ja:"/page/ja-4B7CB5FD.json","ja-table":"/page/ja-table-9DF40813.json"};export{l as a,p as b};
