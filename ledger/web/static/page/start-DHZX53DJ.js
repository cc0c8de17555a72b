import{d as R,e as X,f as Y,g as Z,h as ee,i as te,j as ne,k as se,l as ae,m as oe}from"./chunk-YPZP6THZ.js";import{C as S,p as J,q as E,y as Q,z as M}from"./chunk-Q5I4T4B6.js";import{$ as A,A as H,C as K,G as V,M as w,N,O as j,R as g,V as G,X as U,b as y,c as C,e as L,f as q,k as a,na as z,o as T,u as s,v as O,w as k,y as F,z as W}from"./chunk-ORCZ6Z7M.js";import"./chunk-L5XP6PC2.js";var fe=8,D=e=>e.split(`
`).map(n=>n.trim()).filter(Boolean);function be(e){let n=e.replace(/\r\n?/g,`
`).trim();return/\n/.test(n)?n:n.split(/[,;\t、，；]/).map(o=>o.trim()).filter(Boolean).join(`
`)}function he(e){let n={};return e.map(o=>({id:`${o}
${n[o]=(n[o]??0)+1}`,name:o}))}function ye(e,{min:n,max:o}){return e===0?s("{min} to {max} play.",{min:n,max:o}):e<n?O("{people} so far; {count} more is needed.","{people} so far; {count} more are needed.",n-e,{people:e}):e>o?O("{people} are too many by {count}: at most {max} play.","{people} are too many by {count}: at most {max} play.",e-o,{people:e,max:o}):O("{count} plays.","{count} play.",e)}function le({text:e,change:n,players:o,wrong:c}){let u=q(),m=D(e),b=l=>{let p=l.clipboardData?.getData("text/plain")??"",t=l.target,i=be(p);i!==p&&(l.preventDefault(),t.setRangeText(i,t.selectionStart,t.selectionEnd,"end"),n(t.value))},$=[...new Set(g.value.flatMap(l=>l.people))].filter(l=>!m.includes(l)).slice(0,fe),h=l=>n([...m,l].join(`
`));return a`<div class="field names">
    <label><span class="field-label">${s("Who plays, a name a line, counter-clockwise")}</span>
      <textarea data-test="names" rows=${Math.min(Math.max(m.length+1,4),8)} value=${e} autocomplete="off" autocapitalize="words" spellcheck=${!1} dir="auto"
        placeholder=${s(`Aki
Ben
Chie`)} aria-describedby=${u} aria-invalid=${!!c} onPaste=${b}
        onInput=${l=>n(l.target.value)}></textarea></label>
    <p id=${u} class=${c?"wrong":"soft"} data-test="count" role="status">${c??ye(m.length,o)}</p>
    ${$.length>0&&m.length<o.max&&a`<div class="met" role="group" aria-label=${s("People of earlier evenings")}>
      ${$.map(l=>a`<button type="button" key=${l} class="chip" onClick=${()=>h(l)}><span aria-hidden="true">+ </span><span dir="auto">${l}</span></button>`)}</div>`}
    ${m.length>1&&a`<${se} people=${he(m)} change=${l=>n(l.map(p=>p.name).join(`
`))} removable />`}
  </div>`}function ge(e,n){let o=ae(n,e.deck,e.rules),c=te(e);return{game:n.name,players:D(e.names),deck:e.deck,...e.name.trim()?{name:e.name.trim()}:{},...e.dealer?{dealer:Number(e.dealer)}:{},...Object.keys(o).length?{rules:o}:{},...c?{chip_value:c}:{},...e.odds?{odds:!0}:{},...e.playedOn?{played_on:e.playedOn}:{}}}var _=e=>e.target.value,ve={names:"",dealer:"",name:"",currency:"",perChip:"",odds:!1,playedOn:""},d="start";function re(e){let n=w(d,d);return{...ve,deck:e.default_deck,rules:{},...n?.people,...n?.games?.[e.name]}}function ie({game:e}){let n=re(e),o=w(d,d),c=Q(o?.sent,r=>w(d,d)&&N(d,d,{...w(d,d),sent:r})),{open:u,busy:m,problem:b,locked:$,clear:h}=R(()=>j(d),c),l=D(n.names),p=A(l),t=r=>{let{deck:x,rules:me,...$e}={...re(e),...r};N(d,d,{...w(d,d),game:e.name,people:$e,games:{...w(d,d)?.games,[e.name]:{deck:x,rules:me}}}),$||h()},i=r=>b?.errors?.find(x=>x.pointer===r||x.pointer?.startsWith(`${r}/`))?.detail;C(()=>{b&&document.querySelector('.new-evening [aria-invalid="true"]')?.focus()},[b]);let f=["/players","/name","/dealer","/chip_value","/rules","/overrule","/played_on"],v=()=>{h(),j(d)},P=()=>{J(document.querySelector(".new-evening"))||u(ge(n,e))};return a`<form class="new-evening" onSubmit=${r=>{r.preventDefault(),P()}} novalidate>
    <${le} text=${n.names} players=${e.players} wrong=${i("/players")} change=${r=>t({names:r})} />
    ${o&&a`<div class="row draft-note" role="status" data-test="draft"><span class="grow soft small">${s("Not opened yet; kept on this phone until you open or discard it.")}</span><button type="button" class="quiet" data-test="discard" onClick=${v}>${s("Discard")}</button></div>`}
    <label class="field"><span class="field-label">${s("Deck")}</span>
      <select data-test="deck" value=${n.deck} onChange=${r=>t({deck:_(r)})}>
        ${e.decks.map(r=>a`<option key=${r} value=${r}>${k(e.deck_labels[r])}</option>`)}</select></label>
    <label class="field"><span class="field-label">${s("Who deals first")}</span>
      <select data-test="first-dealer" value=${n.dealer} onChange=${r=>t({dealer:_(r)})}>
        <option value="">${p[0]?s("{name}, who sits first",{name:p[0]}):s("Whoever sits first")}</option>
        ${p.slice(1).map((r,x)=>a`<option key=${x} value=${x+2}>${r}</option>`)}</select>
      ${i("/dealer")&&a`<span class="wrong" role="alert">${i("/dealer")}</span>`}</label>
    <label class="field"><span class="field-label">${s("What the evening is called")} <span class="soft">${s("(if wanted)")}</span></span>
      <input data-test="evening" value=${n.name} maxlength="100" autocomplete="off" dir="auto" aria-invalid=${!!i("/name")} onInput=${r=>t({name:_(r)})} />
      ${i("/name")&&a`<span class="wrong" role="alert">${i("/name")}</span>`}</label>
    <${ne} currency=${n.currency} perChip=${n.perChip} change=${t} wrong=${i} />
    <label class="check"><input type="checkbox" data-test="odds" checked=${n.odds} onChange=${()=>t({odds:!n.odds})} /><span>${s("Tell everybody the chances")} <span class="soft">${s("(if wanted)")}</span></span></label>
    <details class="seldom" open=${!!n.playedOn}><summary data-test="afterwards">${s("Recorded afterwards")}</summary>
      <${ee} value=${n.playedOn} wrong=${i("/played_on")} change=${r=>t({playedOn:r})} /></details>
    ${e.rules.length>0&&a`<section class="rules" aria-labelledby="house-rules"><h3 id="house-rules">${s("House rules")}</h3><p class="soft small">${s("As they usually are. Most tables change nothing.")}</p>
      <${oe} game=${e} deck=${n.deck} given=${n.rules} problem=${b} change=${r=>t({rules:r})} /></section>`}
    <div class="bar">
      ${$?a`<${Y} again=${P} busy=${m} />`:a`<${S} problem=${b} but=${r=>f.some(x=>r.startsWith(x))} />`}
      ${!$&&a`<button class="main wide" data-test="open" disabled=${m}>${l.length?O("Open for {count}","Open for {count}",l.length):s("Open")}</button>`}
    </div>
  </form>`}var ke=3;function we(e){return e==="owner"?s("yours"):e==="scorer"?s("you record"):s("you look on")}function pe({games:e}){let[n,o]=y(!1),[c,u]=y(null),[m,b]=y(null),$=R(),h=n?g.value:g.value.slice(0,ke),l=g.value.find(t=>t.role!=="viewer"),p=(t,i)=>{b(t),$.open({continues:t.token,...i})};return a`<section class="recent" aria-labelledby="recent"><h2 id="recent">${s("On this phone")}</h2>
    <ul>${h.map(t=>a`<li key=${t.id} class="evening">
      <a class="evening-open" href=${z(t.id)} data-test=${`recent-${t.id}`}>
        <b dir="auto">${t.name??I(e,t.game)}</b>
        <span class="soft small">${[t.name?I(e,t.game):"",t.people.length?O("{count} person","{count} people",t.people.length):"",t.status==="closed"?s("closed"):"",we(t.role)].filter(Boolean).join(" \xB7 ")}</span>
        <span class="soft small one-line" dir="auto">${t.people.length?K(A(t.people)):""}</span>
        <span class="soft small">${t.played?s("Played on {day}",{day:H(t.played)}):W(t.seen)}</span>
      </a>
      <div class="evening-tools">
        ${t.role!=="viewer"&&a`<button type="button" class="quiet" disabled=${$.busy} data-test=${t.id===l?.id?"next-evening":`next-evening-${t.id}`} onClick=${()=>p(t)}>${s("Next evening")}</button>`}
        <button type="button" class="icon" aria-label=${s("Forget {name} on this phone",{name:t.name??I(e,t.game)})} data-test=${`forget-${t.id}`} onClick=${()=>u(t)}>×</button>
      </div>
      ${m?.id===t.id&&a`<${X} opening=${$} again=${i=>p(t,i)} />`}
    </li>`)}</ul>
    ${g.value.length>h.length&&a`<button type="button" class="chip" data-test="more-recent" onClick=${()=>o(!0)}>${O("{count} more","{count} more",g.value.length-h.length)}</button>`}
    ${c&&a`<${xe} evening=${c} close=${()=>u(null)} />`}
  </section>`}var I=(e,n)=>k(e.find(o=>o.name===n)?.title)||n;function xe({evening:e,close:n}){let o=()=>{G(e.id),n()};return a`<${E} title=${s("Forget it on this phone?")} close=${n} hook="forget">
    <p>${e.role==="owner"?s("This phone has the owner's key. Unless it was kept elsewhere (by QR code, print or file), nobody can let others in, mend or delete this evening any more."):s("To come back, you need the link again.")}</p>
    <p class="soft">${s("The evening itself stays as it is.")}</p>
    <button type="button" class="main danger wide" data-test="confirm" onClick=${o}>${s("Forget it")}</button>
  <//>`}var Oe={en:["Aki","Ben","Chie","Daisuke","Emi","Fumio","Goro","Haruka","Ichiro","Junko","Kenji","Masako"],ja:["\u660E","\u52C9","\u5343\u6075","\u5927\u8F14","\u6075\u7F8E","\u6587\u96C4","\u4E94\u90CE","\u6625\u9999","\u4E00\u90CE","\u5BFF\u5B50","\u5065\u4E8C","\u96C5\u5B50"]},de={shirinma:{people:12,round:`dealer p12
round
field swords-1
deal p12=cups-7 cups-6 swords-8 coins-4 swords-2 cups-10 (p2=1 p3=2) swords-3 cups-11 (p2=1 p4=2 p2=4) clubs-9 plain plain plain
deal plain plain plain plain plain plain coins-12 (p1=10) plain plain plain plain plain
trump cups-12`},shippin:{people:5,round:`rules bet=10
dealer p3
round
bet p4=2 p5=4 p1=1 p2=3
second 7 3 5 10 / 9
first 2 2 2 10 / 8`},kakkuri:{people:7,round:`round
pairs p3
starter cups-5
p1 cups-6 cups-7
p2 -
p3 swords-8 coins-8
p4 x6`}},ce=e=>e.name in de;function ue({game:e,close:n}){let[o,c]=y(null),[u,m]=y(null),{people:b,round:$}=de[e.name],h=Oe[T.value].slice(0,b);C(()=>{let f=`game ${e.name}
players ${h.join(" ")}
${$}
`;V("POST",`/v1/calculate/${e.name}`,{body:f,headers:{"Content-Type":"text/plain"}}).then(c,v=>m(M(v)))},[e.name,T.value]);let l=f=>h[Number(f.slice(1))-1]??f,p=o?.round.outcome,t=Object.entries(o?.balances??{}).sort(([,f],[,v])=>v-f),i=Math.max(1,...t.map(([,f])=>Math.abs(f)));return a`<${E} title=${k(e.title)} close=${n} hook="sample">
    <p class="stamp">${s("A sample. Nothing of it is kept.")}</p>
    <${S} problem=${u} />
    ${p&&a`<div aria-live="polite">
      <p class="sample-outcome">${p.winner&&a`<b>${l(p.winner)}</b>`}<span class="soft">${k(e.results[p.result])}</span></p>
      <ul class="reasons">${p.explanation[T.value].map(f=>a`<li>${f}</li>`)}</ul>
      <table class="entries bars" data-test="sample-chips"><thead class="hidden"><tr><th>${s("Name")}</th><td></td><th>${s("Chips")}</th></tr></thead><tbody>${t.map(([f,v])=>a`<tr key=${f}><th scope="row">${l(f)}</th>
        <td class="bar-cell" aria-hidden="true"><meter class=${v<0?"loss":"gain"} min="0" max=${i} value=${Math.abs(v)}></meter></td>
        <td class=${`figure ${v>0?"gain":""}`}>${F(v)}</td></tr>`)}</tbody></table>
      <p class="soft small">${s("At the table you tap what you see; the chips are worked out for you, and every number says where it comes from.")}</p></div>`}
  <//>`}function Ce(){let[e,n]=y([]),[o,c]=y(null),[u,m]=y(w("start","start")?.game??""),b=L(!1),[$,h]=y(null);C(()=>{U().then(n,t=>c(M(t)))},[]);let l=e.find(t=>t.name===u),p=t=>{let i=w("start","start");i&&N("start","start",{...i,game:t}),m(t)};return C(()=>{u&&b.current&&document.getElementById("new")?.scrollIntoView({block:"start"}),b.current=!0},[u]),a`<main class="start">
    <header class="start-head"><h1>Fuda Ledger</h1><${Z} /></header>
    ${g.value.length===0&&!l&&a`<p class="lead">${s("The scores of an evening of cards, kept by a phone at the table. No account; whoever has the link can look on.")}</p>`}
    ${g.value.length>0&&a`<${pe} games=${e} />`}
    <section aria-labelledby="new">
      <h2 id="new">${s("A new evening")}</h2>
      <${S} problem=${o} />
      <div class="tiles" role="group" aria-labelledby="new">${e.map(t=>a`<${Se} key=${t.name} game=${t} chosen=${u===t.name} choose=${p} />`)}</div>
      ${l?a`<${ie} key=${l.name} game=${l} />`:a`<div class="samples"><h3>${s("Or look at a sample first")}</h3><div class="row wrap">${e.filter(ce).map(t=>a`<button type="button" key=${t.name} class="chip" data-test=${`sample-${t.name}`} onClick=${()=>h(t)}>${k(t.title)}</button>`)}</div></div>`}
    </section>
    ${$&&a`<${ue} game=${$} close=${()=>h(null)} />`}
  </main>`}function Se({game:e,chosen:n,choose:o}){let{min:c,max:u}=e.players;return a`<button type="button" class="tile" aria-pressed=${n} data-test=${`new-game-${e.name}`} onClick=${()=>o(e.name)}>
    <b>${k(e.title)}</b><span class="soft">${s("{min}\u2013{max} people",{min:c,max:u})}</span></button>`}export{Ce as default};
