import{A as Se,B as Ce,C as Ne,e as he,j as q,k as K,n as be,o as ye,q as ge,r as ke,s as J,t as we,u as V,v as R,w as L,x as ve,y as xe,z as Oe}from"./chunk-BX5LX7LR.js";import{a as I,o as de,p as F,s as $e,t as A,w as E,x as fe}from"./chunk-UUCFGLYY.js";import"./chunk-IEXWRGHL.js";import{$ as me,G as re,M as S,N as B,O as U,R as D,V as ie,X as pe,Z as ce,b as y,c as x,e as se,f as ae,ga as ue,k as n,na as j,o as T,s as le,u as o,v,w,y as H}from"./chunk-KCXWFPUT.js";import"./chunk-IP65XB3K.js";var Pe={shirinma:{deck:"mekurifuda",codes:["swords-1","cups-12","clubs-10"]},shippin:{deck:"kabufuda",codes:["4","1"]},kakkuri:{deck:"mekurifuda",codes:["clubs-4","swords-5","coins-6"]}};function Te({game:e}){let{deck:t,codes:s}=Pe[e]??{deck:"",codes:["",""]};return n`<span class="fan" data-cards=${s.length} aria-hidden="true">${s.map((a,l)=>n`<${fe} key=${l} deck=${{deck:t,cards:[]}} code=${a} down=${!a} quiet />`)}</span>`}var Ge={shirinma:15,shippin:3,kakkuri:10};function Ee({games:e,chosen:t,choose:s,how:a}){return n`<ul class=${`games-list ${t?"chosen":""}`}>${e.map(l=>n`<li key=${l.name}>
    <button type="button" class="game-row" aria-pressed=${t===l.name} data-test=${`new-game-${l.name}`} onClick=${()=>s(l.name)}>
      <${Te} game=${l.name} /><span class="game-said"><b>${w(l.title)}</b><span class="soft">${We(l)}</span></span></button>
    <button type="button" class="icon" aria-label=${o("How {game} is played",{game:w(l.title)})} data-test=${`how-${l.name}`} onClick=${()=>a(l)}><${I} name="help" /></button>
  </li>`)}</ul>`}function We({name:e,players:{min:t,max:s}}){let a=Ge[e];return a?o("{min}\u2013{max} people, {minutes} min",{min:t,max:s,minutes:a}):o("{min}\u2013{max} people",{min:t,max:s})}function De({games:e,first:t,close:s}){let[a,l]=y(t),[m,d]=y(null),[c,i]=y(null);x(()=>{ce(a.default_deck).then(d,u=>i(A(u)))},[a]);let p=ge(a);return n`<${F} title=${o("How it is played")} close=${s} hook="how-sheet">
    ${e.length>1&&n`<div class="how-games" role="group" aria-label=${o("Games")}>${e.map(u=>n`<button type="button" key=${u.name} class="quiet" aria-pressed=${u===a} data-test=${`how-it-is-${u.name}`} onClick=${()=>l(u)}>${w(u.title)}</button>`)}</div>`}
    <${E} problem=${c} />
    ${m?.deck===a.default_deck&&n`<${ke} game=${a} deck=${ue(a,m,"JQK")} rules=${p} />`}
    <p class="soft small">${o("Chips and house rules are as most tables have them; yours may differ.")}</p>
  <//>`}function Q({label:e,also:t,hook:s,wanted:a,children:l}){let[m,d]=y(a);return x(()=>{a&&d(!0)},[a]),n`<details class="fold" open=${m} onToggle=${c=>d(c.currentTarget.open)}>
    <summary data-test=${s}><b>${e}</b>${t&&n`<span class="soft">${t}</span>`}</summary>
    <div class="fold-in" onFocusIn=${c=>c.target.matches(":focus-visible")&&d(!0)}>${l}</div></details>`}function z(e){for(let t of e?.querySelectorAll("details:has([aria-invalid='true'])")??[])t.open=!0}var Ue=8,P=e=>e.split(`
`).map(t=>t.trim()).filter(Boolean);function Ke(e){let t=e.replace(/\r\n?/g,`
`).trim();return/\n/.test(t)?t:t.split(/[,;\t、，；]/).map(s=>s.trim()).filter(Boolean).join(`
`)}function Je(e){let t={};return e.map(s=>({id:`${s}
${t[s]=(t[s]??0)+1}`,name:s}))}function Ve(e,{min:t,max:s}){return e===0?o("{min} to {max} play.",{min:t,max:s}):e<t?v("{people} so far; {count} more is needed.","{people} so far; {count} more are needed.",t-e,{people:e}):e>s?v("{people} are too many by {count}: at most {max} play.","{people} are too many by {count}: at most {max} play.",e-s,{people:e,max:s}):v("{count} plays.","{count} play.",e)}function Ie({text:e,change:t,players:s,wrong:a}){let l=ae(),m=P(e),d=p=>{let u=p.clipboardData?.getData("text/plain")??"",f=p.target,b=Ke(u);b!==u&&(p.preventDefault(),f.setRangeText(b,f.selectionStart,f.selectionEnd,"end"),t(f.value))},c=[...new Set(D.value.flatMap(p=>p.people))].filter(p=>!m.includes(p)).slice(0,Ue),i=p=>t([...m,p].join(`
`));return n`<div class="field names">
    <label><span class="field-label">${o("Who plays, one name per line, counter-clockwise")}</span>
      <textarea data-test="names" rows=${Math.min(Math.max(m.length+1,4),8)} value=${e} autocomplete="off" autocapitalize="words" spellcheck=${!1} dir="auto"
        placeholder=${o(`Aki
Ben
Chie`)} aria-describedby=${l} aria-invalid=${!!a} onPaste=${d}
        onInput=${p=>t(p.target.value)}></textarea></label>
    <p id=${l} class=${a?"wrong":"soft"} data-test="count" role="status">${a??Ve(m.length,s)}</p>
    ${c.length>0&&m.length<s.max&&n`<div class="met" role="group" aria-label=${o("People of earlier evenings")}>
      ${c.map(p=>n`<button type="button" key=${p} class="chip" onClick=${()=>i(p)}><span aria-hidden="true">+ </span><span dir="auto">${p}</span></button>`)}</div>`}
    ${m.length>1&&n`<${Ne} people=${Je(m)} change=${p=>t(p.map(u=>u.name).join(`
`))} removable />`}
  </div>`}function Qe(e,t){let s=we(t,e.deck,e.rules),a=Se(e);return{game:t.name,players:P(e.names),deck:e.deck,...e.name.trim()?{name:e.name.trim()}:{},...e.dealer?{dealer:Number(e.dealer)}:{},...Object.keys(s).length?{rules:s}:{},...a?{chip_value:a}:{},...e.odds?{odds:!0}:{},...e.playedOn?{played_on:e.playedOn}:{}}}var Y=e=>e.target.value,ze={names:"",dealer:"",name:"",currency:"",perChip:"",odds:!1,playedOn:""},g="start";function Me(e){let t=S(g,g);return{...ze,deck:e.default_deck,rules:{},...t?.people,...t?.games?.[e.name]}}function Fe({game:e}){let t=Me(e),s=S(g,g),a=$e(s?.sent,r=>S(g,g)&&B(g,g,{...S(g,g),sent:r})),{open:l,busy:m,problem:d,locked:c,clear:i}=R(()=>U(g),a),p=P(t.names),u=me(p),f=r=>{let{deck:N,rules:He,...Le}={...Me(e),...r};B(g,g,{...S(g,g),game:e.name,people:Le,games:{...S(g,g)?.games,[e.name]:{deck:N,rules:He}}}),c||i()},b=r=>d?.errors?.find(N=>N.pointer===r||N.pointer?.startsWith(`${r}/`))?.detail;x(()=>{d&&(z(document.querySelector(".new-evening")),document.querySelector('.new-evening [aria-invalid="true"]')?.focus())},[d]);let $=["/players","/name","/dealer","/chip_value","/rules","/overrule","/played_on"],h=()=>{i(),U(g)},C=()=>{z(document.querySelector(".new-evening")),de(document.querySelector(".new-evening"))||l(Qe(t,e))},_=r=>{r.preventDefault(),C()},k=J(e,t.deck).find(r=>r.kind==="whole"),M=J(e,t.deck).filter(r=>r!==k),ne={deck:t.deck,given:t.rules,problem:d,change:r=>f({rules:r})},je=r=>t.rules[r]!==void 0||!!b(`/rules/${r}`),qe=[t.dealer,t.name,t.currency,t.perChip,t.odds,t.playedOn].some(Boolean)||["/dealer","/name","/chip_value","/played_on"].some(b);return n`<form class="new-evening" onSubmit=${_} novalidate>
    <${Ie} text=${t.names} players=${e.players} wrong=${b("/players")} change=${r=>f({names:r})} />
    ${s&&n`<div class="row draft-note" role="status" data-test="draft"><span class="grow soft small">${o("Not opened yet; kept on this phone until you open or discard it.")}</span><button type="button" class="quiet" data-test="discard" onClick=${h}>${o("Discard")}</button></div>`}
    <div class="deck-and-stake"><label class="field"><span class="field-label">${o("Deck")}</span>
      <select data-test="deck" value=${t.deck} onChange=${r=>f({deck:Y(r)})}>
        ${e.decks.map(r=>n`<option key=${r} value=${r}>${w(e.deck_labels[r])}</option>`)}</select></label>
      ${k&&n`<${V} game=${{...e,rules:[k]}} ...${ne} />`}</div>
    ${M.length>0&&n`<${Q} label=${o("House rules")} also=${o("Most tables change nothing.")} hook="house-rules" wanted=${M.some(r=>je(r.name))}>
      <${V} game=${{...e,rules:M}} ...${ne} /><//>`}
    <${Q} label=${o("More")} also=${o("Dealer, name, chip value \u2026")} hook="more" wanted=${qe}>
    <label class="field"><span class="field-label">${o("Who deals first")}</span>
      <select data-test="first-dealer" value=${t.dealer} onChange=${r=>f({dealer:Y(r)})}>
        <option value="">${u[0]?o("{name}, in the first seat",{name:u[0]}):o("The first seat")}</option>
        ${u.slice(1).map((r,N)=>n`<option key=${N} value=${N+2}>${r}</option>`)}</select>
      ${b("/dealer")&&n`<span class="wrong" role="alert">${b("/dealer")}</span>`}</label>
    <label class="field"><span class="field-label">${o("What the evening is called")} <span class="soft">${o("(if wanted)")}</span></span>
      <input data-test="evening" value=${t.name} maxlength="100" autocomplete="off" dir="auto" aria-invalid=${!!b("/name")} onInput=${r=>f({name:Y(r)})} />
      ${b("/name")&&n`<span class="wrong" role="alert">${b("/name")}</span>`}</label>
    <${Ce} currency=${t.currency} perChip=${t.perChip} change=${f} wrong=${b} />
    <label class="check"><input type="checkbox" data-test="odds" checked=${t.odds} onChange=${()=>f({odds:!t.odds})} /><span>${o("Show everyone the chances")} <span class="soft">${o("(if wanted)")}</span></span></label>
    <${Oe} value=${t.playedOn} wrong=${b("/played_on")} change=${r=>f({playedOn:r})} />
    <//>
    <div class="bar">
      ${c?n`<${ve} again=${C} busy=${m} />`:n`<${E} problem=${d} but=${r=>$.some(N=>r.startsWith(N))} />`}
      ${!c&&n`<button class="main wide" data-test="open" disabled=${m}>${p.length?v("Open for {count}","Open for {count}",p.length):o("Open")}</button>`}
    </div>
  </form>`}var X=(e,t)=>w(e.find(s=>s.name===t)?.title)||t,G=(e,t)=>t.name??X(e,t.game),W=(e,t)=>new Date(e.played?`${e.played}T12:00`:t?.created_at??e.seen);function Ae({evening:e,games:t,next:s,busy:a,leave:l}){let m=q(e.id),d=G(t,e),c=Z(e,m);return n`<section class="last-evening" aria-label=${o("The last evening")}>
    <a class="last-open" href=${j(e.id)} data-test=${`recent-${e.id}`}>
      <span class="soft last-when">${Xe(W(e,m))}</span>
      <b class="last-name" dir="auto">${d}</b>
      <span class="soft" dir="auto">${Ze(e,m)}</span></a>
    <button type="button" class="icon" aria-label=${o("Forget {name} on this phone",{name:d})} data-test=${`forget-${e.id}`} onClick=${l}><${I} name="close" /></button>
    ${c==="next"?n`<button type="button" class="main wide" data-test="go-on" disabled=${a} onClick=${s}>${o("Next evening of the same people")}</button>`:n`<a class="main wide" data-test="go-on" href=${j(e.id)}>${Ye(c,m)}</a>`}
  </section>`}function Z(e,t){return e.role==="viewer"?"look":(t?.status??e.status)!=="closed"?"play":t?.players.some(s=>s.balance!==0)?"pay":"next"}function Ye(e,t){return e==="look"?o("Look on"):e==="pay"?o("Who pays whom"):o("Go on with round {number}",{number:K(t)+1})}function Xe(e){let t=new Intl.DateTimeFormat(T.value,{weekday:"long",day:"numeric",month:"short"}).format(e),s=Math.round((new Date().setHours(0,0,0,0)-new Date(e).setHours(0,0,0,0))/864e5);return`${s<=0?o("This evening"):s===1?o("Yesterday's evening"):o("The last evening")} \xB7 ${t}`}function Ze(e,t){let s=t?.players.filter(i=>i.active).length??e.people.length,a=K(t),l=Math.max(0,...(t?.players??[]).map(i=>i.won)),m=l>0?t?.players.filter(i=>i.won===l):[],d=[s&&v("{count} person","{count} people",s),a&&v("{count} round","{count} rounds",a),e.status==="closed"&&o("closed")].filter(Boolean).join(" \xB7 ");if(m?.length!==1)return d;let c=e.status==="closed"?o("{name} came first with {chips}"):o("{name} leads with {chips}");return n`${d} · ${c.split(/(\{\w+\})/).map(i=>i==="{name}"?n`<b class="last-first">${m[0]?.name}</b>`:i==="{chips}"?n`<b class="gain">${H(l)}</b>`:i)}`}var et=2;function tt(e){return e==="owner"?o("yours"):e==="scorer"?o("you record"):o("you look on")}function Re({games:e}){let[t,s]=y(!1),[a,l]=y(null),[m,d]=y(null),c=R(),[i,...p]=D.value;if(!i)return null;let u=t?p:p.slice(0,et),f=(h,C)=>{d(h),c.open({continues:h.token,...C})},b=h=>m?.id===h.id&&n`<${L} opening=${c} again=${C=>f(h,C)} />`,$=i.role!=="viewer"&&!i.sample&&Z(i,q(i.id))!=="next";return n`<div class="recent">
    <${Ae} evening=${i} games=${e} next=${()=>f(i)} busy=${c.busy} leave=${()=>l(i)} />
    ${$&&n`<button type="button" class="text next-evening" disabled=${c.busy} data-test="next-evening" onClick=${()=>f(i)}>${o("Next evening of the same people")}</button>`}
    ${b(i)}
    ${u.length>0&&n`<ul class="others">${u.map(h=>n`<${ot} key=${h.id} evening=${h} games=${e} busy=${c.busy} again=${()=>f(h)} leave=${()=>l(h)}>${b(h)}<//>`)}</ul>`}
    ${p.length>u.length&&n`<button type="button" class="text" data-test="more-recent" onClick=${()=>s(!0)}>${v("{count} more evening","{count} more evenings",p.length-u.length)}</button>`}
    ${a&&n`<${nt} evening=${a} close=${()=>l(null)} />`}
  </div>`}function ot({evening:e,games:t,busy:s,again:a,leave:l,children:m}){let d=G(t,e),i=[new Intl.DateTimeFormat(T.value,{day:"numeric",month:"short",year:"numeric"}).format(W(e,q(e.id))),e.name&&X(t,e.game),e.people.length&&v("{count} person","{count} people",e.people.length),e.status==="closed"&&o("closed"),e.role!=="owner"&&tt(e.role)];return n`<li><a class="other-open" href=${j(e.id)} data-test=${`recent-${e.id}`}><b dir="auto">${d}</b><span class="soft">${i.filter(Boolean).join(" \xB7 ")}</span></a>
    ${e.role!=="viewer"&&n`<button type="button" class="icon" aria-label=${o("Next evening of {name}",{name:d})} disabled=${s} data-test=${`next-evening-${e.id}`} onClick=${a}><${I} name="next" /></button>`}
    <button type="button" class="icon" aria-label=${o("Forget {name} on this phone",{name:d})} data-test=${`forget-${e.id}`} onClick=${l}><${I} name="close" /></button>
    ${m}</li>`}function nt({evening:e,close:t}){let s=()=>{ie(e.id),t()};return n`<${F} title=${o("Forget it on this phone?")} close=${t} hook="forget">
    <p>${e.role==="owner"?o("This phone has the owner's key. Unless it was kept elsewhere (as a QR code, on paper or as a file), no phone can let others in or delete this evening any more."):o("To come back, you need the link again.")}</p>
    <p class="soft">${o("The evening itself stays as it is.")}</p>
    <button type="button" class="main danger wide" data-test="confirm" onClick=${s}>${o("Forget it")}</button>
  <//>`}var st={en:["Aki","Ben","Chie","Daisuke","Emi","Fumio","Goro","Haruka","Ichiro","Junko","Kenji","Masako"],ja:["\u660E","\u52C9","\u5343\u6075","\u5927\u8F14","\u6075\u7F8E","\u6587\u96C4","\u4E94\u90CE","\u6625\u9999","\u4E00\u90CE","\u5BFF\u5B50","\u5065\u4E8C","\u96C5\u5B50"]},ee={shirinma:{people:12,whole:`dealer p12
round
field swords-1
deal p12=cups-7 cups-6 swords-8 coins-4 swords-2 cups-10 (p2=1 p3=2) swords-3 cups-11 (p2=1 p4=2 p2=4) clubs-9 plain plain plain
deal plain plain plain plain plain plain coins-12 (p1=10) plain plain plain plain plain
trump cups-12`,begun:`round
field swords-1
deal plain plain coins-12 (p1=8 p5=10) plain plain cups-10 (p2=1 p3=2) plain`},shippin:{people:5,whole:`rules bet=10
dealer p3
round
bet p4=2 p5=4 p1=1 p2=3
second 7 3 5 10 / 9
first 2 2 2 10 / 8`,begun:`rules bet=10
round
bet p2=2 p3=4 p4=1 p5=3`},kakkuri:{people:7,whole:`round
pairs p3
starter cups-5
p1 cups-6 cups-7
p2 -
p3 swords-8 coins-8
p4 x6`,begun:`round
starter cups-5
p1 cups-6 cups-7
p2 -`}},_e=e=>e.name in ee,te=e=>st[T.value].slice(0,ee[e.name]?.people);function oe(e,t){let s=t==="begun"?[`name ${JSON.stringify(o("Sample: {game}",{game:w(e.title)}))}`]:[];return[`game ${e.name}`,...s,`players ${te(e).join(" ")}`,ee[e.name]?.[t],""].join(`
`)}function Be({game:e,close:t}){let[s,a]=y(null),[l,m]=y(null),d=te(e),c=R(),i=()=>{c.open({sample:oe(e,"begun")})};x(()=>{re("POST",`/v1/calculate/${e.name}`,{body:oe(e,"whole"),headers:{"Content-Type":"text/plain"}}).then(a,$=>m(A($)))},[e.name,T.value]);let p=$=>d[Number($.slice(1))-1]??$,u=s?.round.outcome,f=Object.entries(s?.balances??{}).sort(([,$],[,h])=>h-$),b=Math.max(1,...f.map(([,$])=>Math.abs($)));return n`<${F} title=${o("Sample: {game}",{game:w(e.title)})} close=${t} hook="sample">
    <p class="stamp">${o("A sample. Nothing of it is kept.")}</p>
    <${E} problem=${l} />
    ${u&&n`<div aria-live="polite">
      <p class="sample-outcome">${u.winner&&n`<b>${p(u.winner)}</b>`}<span class="soft">${w(e.results[u.result])}</span></p>
      <ul class="reasons">${u.explanation[T.value].map($=>n`<li>${le($)}</li>`)}</ul>
      <table class="entries sample-chips" data-test="sample-chips"><thead class="hidden"><tr><th>${o("Name")}</th><td></td><th>${o("Chips")}</th></tr></thead><tbody>${f.map(([$,h])=>n`<tr key=${$}><th scope="row">${p($)}</th>
        <td class="bar-cell" aria-hidden="true"><meter class=${h<0?"loss":"gain"} min="0" max=${b} value=${Math.abs(h)}></meter></td>
        <td class=${`figure ${h>0?"gain":""}`}>${H(h)}</td></tr>`)}</tbody></table>
      <p class="soft small">${o("At the table you tap what you see; the chips are worked out for you, and every number says where it comes from.")}</p></div>`}
    <p class="soft small">${o("Or do the recording yourself: a table opens with a round already begun. One tap throws it away again.")}</p>
    <div class="sample-play">${c.problem?n`<${L} opening=${c} again=${i} />`:n`<button type="button" class="main wide" data-test="sample-play" disabled=${c.busy} onClick=${i}>${o("Play on from here")}</button>`}</div>
  <//>`}function at(){let[e,t]=y([]),[s,a]=y(null),[l,m]=y(S("start","start")?.game??""),d=se(!1),[c,i]=y(null),[p,u]=y(null),[f,b]=y(D.value.length===0);x(()=>{pe().then(t,k=>a(A(k)))},[]);let $=e.find(k=>k.name===l),h=k=>{let M=S("start","start");M&&B("start","start",{...M,game:k}),m(k)};x(()=>{l&&d.current&&document.getElementById("new")?.scrollIntoView({block:"start"}),d.current=!0},[l]);let C=$??e.find(k=>k.name===D.value[0]?.game)??e[0],_=e.filter(_e);return n`<main class="start">
    <header class="start-head"><${he} /><div class="grow"><h1 lang="en">Fuda Ledger</h1><p class="soft" lang="ja">札帳</p></div><${xe} look="text" /></header>
    <${Re} games=${e} />
    ${be()&&n`<${ye} />`}
    <section class="new" aria-labelledby="new">
      <h2 id="new">${o("A new evening")}</h2>
      <${E} problem=${s} />
      <${Ee} games=${e} chosen=${$?.name??""} choose=${h} how=${u} />
      ${$&&n`<${Fe} key=${$.name} game=${$} />`}
    </section>
    ${C&&n`<footer class="start-foot">
      ${!$&&f&&_.length>0&&n`<div class="samples" role="group" aria-labelledby="samples"><h2 id="samples">${o("Try a sample")}</h2>
        <div class="samples-of">${_.map(k=>n`<button type="button" key=${k.name} class="quiet" data-test=${`sample-${k.name}`} onClick=${()=>i(k)}>${w(k.title)}</button>`)}</div></div>`}
      <div class="row">${!$&&!f&&_.length>0&&n`<button type="button" class="quiet" data-test="samples" onClick=${()=>b(!0)}>${o("Try a sample")}</button>`}
        <button type="button" class="quiet" data-test="how" onClick=${()=>u(C)}>${o("How it is played")}</button></div>
      <p class="soft">${o("No account. The books stay on this table's own service.")}</p>
    </footer>`}
    ${c&&n`<${Be} game=${c} close=${()=>i(null)} />`}
    ${p&&n`<${De} games=${e} first=${p} close=${()=>u(null)} />`}
  </main>`}export{at as default};
