var D=Object.defineProperty;var g=(e,a)=>{for(var j in a)D(e,j,{get:a[j],enumerable:!0})};var o={ja:"/page/ja-D0E9477D.json","ja-table":"/page/ja-table-9DF40813.json"};export{g as a,o as b};
