var F=Object.defineProperty;var g=(e,a)=>{for(var j in a)F(e,j,{get:a[j],enumerable:!0})};var o={ja:"/page/ja-C3DF5BF6.json","ja-table":"/page/ja-table-9DF40813.json"};export{g as a,o as b};
