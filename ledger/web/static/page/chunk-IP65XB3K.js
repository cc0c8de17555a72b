var E=Object.defineProperty;var g=(e,a)=>{for(var j in a)E(e,j,{get:a[j],enumerable:!0})};var o={ja:"/page/ja-841294DE.json","ja-table":"/page/ja-table-EB1E325C.json"};export{g as a,o as b};
