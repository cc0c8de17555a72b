import{c as Ne,d as Q,e as Be,f as Re,g as Ie,h as Pe,i as _e,j as je,k as De,l as Me}from"./chunk-ORXRVSAS.js";import{a as Ae,d as We}from"./chunk-IC2YPI6S.js";import{A as P,Aa as Ce,B as ye,Ba as H,C as L,F as T,G as D,H as te,Ha as Le,I as ke,Ia as J,K as O,L as N,La as j,M as _,N as we,Na as Ge,O as Se,P as C,Q as K,R as xe,S as Oe,T as M,U as qe,W as V,a as de,aa as Ee,b as k,c as q,e as F,ea as B,f as pe,fa as Te,g as ee,h as b,i as R,j as I,k as l,l as me,m as fe,o as U,p as he,q as i,r as x,s as w,u as ve,v as $e,w as be,y as ge,z as E}from"./chunk-WXQWFZ25.js";import"./chunk-DBS6MIOS.js";function Fe(t,e,n){let s=F(!0),a=t!==""&&(e===null||n!==void 0);q(()=>{if(!a)return;scrollTo(0,0);let r=document.querySelector("main h1")??document.querySelector("main");s.current||!r?s.current=!1:(r.tabIndex=-1,r.focus({preventScroll:!0}))},[t,e,a]),q(()=>{let r=t==="table"?null:document.querySelector("main h1")?.textContent;document.title=[...new Set([r,n,"Fuda Ledger"])].filter(Boolean).join(" \xB7 ")})}function Ue(){if(!isSecureContext||!("serviceWorker"in navigator))return;let t=()=>{navigator.serviceWorker.register("/sw.js").catch(()=>{})};document.readyState==="complete"?t():addEventListener("load",t,{once:!0})}var Ke=500,St=1e4,xt=4e4,Ot=5e3;async function Ve(t,e,n,s,a){let r=Ke;for(;!a.aborted;){let u=new AbortController,f=()=>u.abort();a.addEventListener("abort",f,{once:!0}),addEventListener("online",f),document.addEventListener("visibilitychange",qt(f),{signal:u.signal});try{let p={token:e(),signal:u.signal,headers:{Accept:"text/event-stream"}},c=await ye("GET",`${t}/stream?after=${n()}`,p);for await(let m of Et(c,u))r=Ke,s.recorded(m)}catch(p){if(a.aborted||((p instanceof P||p instanceof E)&&s.unheard(p),p instanceof E&&p.problem.code==="no_such_event"&&await s.ahead(),p instanceof E&&[401,403,404].includes(p.problem.status)))return;r=Math.min(r*2,St)}finally{a.removeEventListener("abort",f),removeEventListener("online",f),u.abort()}await Tt(r,a)}}function qt(t){let e=0;return()=>{document.visibilityState==="hidden"?e=Date.now():e&&Date.now()-e>Ot&&t()}}async function*Et(t,e){let n=t.body.getReader(),s=new TextDecoder,a="";for(;;){let r=setTimeout(()=>e.abort(),xt),{done:u,value:f}=await n.read().finally(()=>clearTimeout(r));if(u)return;a+=s.decode(f,{stream:!0});let p=a.split(`

`);a=p.pop()??"";for(let c of p){let m=c.split(`
`).filter(o=>o.startsWith("data:")).map(o=>o.slice(5).trimStart());m.length&&(yield JSON.parse(m.join(`
`)))}}}function Tt(t,e){return new Promise(n=>{let s=new AbortController,a=()=>{clearTimeout(r),s.abort(),n(void 0)},r=setTimeout(a,t);addEventListener("online",a,{signal:s.signal}),document.addEventListener("visibilitychange",a,{signal:s.signal}),e.addEventListener("abort",a,{once:!0,signal:s.signal})})}var At=2e3,Ct=5,Lt=500,ne=t=>t.filter(e=>e.type!=="odds_switched").at(-1),Y=class{session=b(null);link=b(null);lost=b(null);online=b(!0);last=b(null);ended=b(null);seq=R(()=>this.session.value?.seq??0);mayRecord=R(()=>this.link.value!==null&&this.link.value.role!=="viewer");isOwner=R(()=>this.link.value?.role==="owner");wentBack=b(null);books=b(1);sending=Promise.resolve();constructor(e){this.id=e,this.path=`/v1/sessions/${encodeURIComponent(e)}`,this.kept=`fuda.stood.${e}`;let n=me(this.kept);n&&(this.session.value=JSON.parse(n))}token=()=>N(this.id)?.token??null;read=(e="")=>L("GET",e.startsWith("/v1/")?e:this.path+e,{token:this.token(),cache:"no-store"});ask=(e,n,s,a)=>L(e,this.path+n,{token:this.token(),body:s,headers:a});wouldBe=(...e)=>this.ask("POST","/events?dry_run=true",{events:e});refresh=async(e,n)=>{let s=this.seq.value;try{let a=await this.read(),r=a.round||!a.rounds?null:await this.read(`/rounds/${a.rounds}`),u=this.last.value&&(n?.seq===a.seq?ne([n]):await this.eventAt(a.seq));await(e??this.sending),this.online.value=!0,a.seq<s&&await this.isGone(s)&&s===this.seq.value&&this.beginAnew(a,s),a.seq>=this.seq.value&&ee(()=>{this.stands(a),this.ended.value=r,this.isLast(u)}),this.last.value||this.isLast(await this.eventAt(a.seq))}catch(a){this.unheard(a),a instanceof E&&a.passes&&setTimeout(this.refresh,Math.max(a.retryAfter*1e3,At))}};async isGone(e){return(await this.read(`/events?after=${e-1}&limit=1`)).events.length===0}beginAnew(e,n){ee(()=>{this.session.value=null,this.last.value=null,this.ended.value=null,this.stands(e),this.wentBack.value={seen:n,now:e.seq},this.books.value+=1}),ke(this.id)}async eventAt(e){let n=this.last.value?.event.seq??0;for(let[s,a]=[e,Ct];s>n;s-=a,a=Math.min(4*a,Lt)){let r=Math.max(n,s-a),u=ne((await this.read(`/events?after=${r}&limit=${s-r}`)).events);if(u)return u}}isLast(e){e&&e.seq>(this.last.value?.event.seq??0)&&(this.last.value={event:e,entries:[]})}recorded(e){let{session:n}=e;n.seq>=this.seq.value?this.stands(n):this.refresh(),this.online.value=!0;let s=ne(e.events);s&&s.seq>=(this.last.value?.event.seq??0)&&(this.last.value={event:s,entries:e.entries});let a=e.ended.at(-1);n.round||a?this.ended.value=n.round?null:a??null:n.rounds&&this.refresh()}stands(e){if(e.seq<this.seq.value)return;this.session.value=e;let n=e.players.filter(r=>r.active).map(r=>r.name),s=N(this.id),a=[s?.name,s?.status,s?.game,s?.played,s?.people.join(`
`)].join(`
`);s&&a!==[e.name,e.status,e.game,e.played_on,n.join(`
`)].join(`
`)&&_({...s,name:e.name,game:e.game,status:e.status,people:n,played:e.played_on}),fe(this.kept,JSON.stringify(e))}async whoAmI(){let e=N(this.id);e&&(this.link.value={id:"",role:e.role,label:null,expires_at:null,created_at:""});try{let n=await this.read("/links/me");this.link.value=n,e&&n.role!==e.role&&_({...e,role:n.role})}catch(n){this.unheard(n)}}unheard=e=>{if(e instanceof P)this.online.value=!1;else if(e instanceof E&&[401,403,404].includes(e.problem.status))this.lost.value=e.problem;else if(!(e instanceof E))throw e}};function He(t){let e=new Y(t),n=new Ae(e),s=new AbortController,a=Promise.resolve();function r(G){e.online.value=!0,n.waiting.value.length&&n.drain(),a=a.then(()=>G.seq>e.seq.value?e.refresh(void 0,G):void 0)}let u=()=>{document.visibilityState!=="hidden"&&(n.wake(),e.refresh())};addEventListener("online",u,{signal:s.signal}),document.addEventListener("visibilitychange",u,{signal:s.signal});async function f(){await n.begin(),await Promise.all([e.refresh(),e.whoAmI()]),n.drain();let G={recorded:r,unheard:e.unheard,ahead:()=>e.refresh()};Ve(e.path,e.token,()=>e.seq.value,G,s.signal)}let{path:p,session:c,link:m,lost:o,online:h,last:$,ended:y,seq:W,mayRecord:ue,isOwner:d,token:S,read:X,ask:Z,wouldBe:it,refresh:lt,wentBack:rt,books:ct}=e,{waiting:ut,refusal:dt,conflict:pt,undoing:mt,tapped:ft,made:ht,report:vt,undo:$t,takeBack:bt,takeReportBack:gt,overrule:yt,dropRefused:kt,resolve:wt}=n;return{id:t,path:p,session:c,link:m,lost:o,online:h,last:$,ended:y,seq:W,mayRecord:ue,isOwner:d,token:S,read:X,ask:Z,wouldBe:it,refresh:lt,wentBack:rt,books:ct,waiting:ut,refusal:dt,conflict:pt,undoing:mt,tapped:ft,made:ht,report:vt,undo:$t,takeBack:bt,takeReportBack:gt,overrule:yt,dropRefused:kt,resolve:wt,ready:f(),leave:()=>s.abort()}}var Nt=8,z=t=>t.split(`
`).map(e=>e.trim()).filter(Boolean);function Bt(t){let e=t.replace(/\r\n?/g,`
`).trim();return/\n/.test(e)?e:e.split(/[,;\t、，；]/).map(n=>n.trim()).filter(Boolean).join(`
`)}function Rt(t){let e={};return t.map(n=>({id:`${n}
${e[n]=(e[n]??0)+1}`,name:n}))}function It(t,{min:e,max:n}){return t===0?i("{min} to {max} play.",{min:e,max:n}):t<e?x("{people} so far; {count} more is needed.","{people} so far; {count} more are needed.",e-t,{people:t}):t>n?x("{people} are too many by {count}: at most {max} play.","{people} are too many by {count}: at most {max} play.",t-n,{people:t,max:n}):x("{count} plays.","{count} play.",t)}function Je({text:t,change:e,players:n,wrong:s}){let a=pe(),r=z(t),u=c=>{let m=c.clipboardData?.getData("text/plain")??"",o=c.target,h=Bt(m);h!==m&&(c.preventDefault(),o.setRangeText(h,o.selectionStart,o.selectionEnd,"end"),e(o.value))},f=[...new Set(O.value.flatMap(c=>c.people))].filter(c=>!r.includes(c)).slice(0,Nt),p=c=>e([...r,c].join(`
`));return l`<div class="field names">
    <label><span class="field-label">${i("Who plays, a name a line, counter-clockwise")}</span>
      <textarea data-test="names" rows=${Math.min(Math.max(r.length+1,4),8)} value=${t} autocomplete="off" autocapitalize="words" spellcheck=${!1} dir="auto"
        placeholder=${i(`Aki
Ben
Chie`)} aria-describedby=${a} aria-invalid=${!!s} onPaste=${u}
        onInput=${c=>e(c.target.value)}></textarea></label>
    <p id=${a} class=${s?"wrong":"soft"} data-test="count" role="status">${s??It(r.length,n)}</p>
    ${f.length>0&&r.length<n.max&&l`<div class="met" role="group" aria-label=${i("People of earlier evenings")}>
      ${f.map(c=>l`<button type="button" key=${c} class="chip" onClick=${()=>p(c)}><span aria-hidden="true">+ </span><span dir="auto">${c}</span></button>`)}</div>`}
    ${r.length>1&&l`<${je} people=${Rt(r)} change=${c=>e(c.map(m=>m.name).join(`
`))} removable />`}
  </div>`}function Pt(t,e){let n=De(e,t.deck,t.rules),s=Pe(t);return{game:e.name,players:z(t.names),deck:t.deck,...t.name.trim()?{name:t.name.trim()}:{},...t.dealer?{dealer:Number(t.dealer)}:{},...Object.keys(n).length?{rules:n}:{},...s?{chip_value:s}:{},...t.odds?{odds:!0}:{},...t.playedOn?{played_on:t.playedOn}:{}}}var se=t=>t.target.value,_t={names:"",dealer:"",name:"",currency:"",perChip:"",odds:!1,playedOn:""},v="start";function Qe(t){let e=T(v,v);return{..._t,deck:t.default_deck,rules:{},...e?.people,...e?.games?.[t.name]}}function Ye({game:t}){let e=Qe(t),n=T(v,v),s=Le(n?.sent,d=>T(v,v)&&D(v,v,{...T(v,v),sent:d})),{open:a,busy:r,problem:u,locked:f,clear:p}=Q(()=>te(v),s),c=z(e.names),m=V(c),o=d=>{let{deck:S,rules:X,...Z}={...Qe(t),...d};D(v,v,{...T(v,v),game:t.name,people:Z,games:{...T(v,v)?.games,[t.name]:{deck:S,rules:X}}}),f||p()},h=d=>u?.errors?.find(S=>S.pointer===d||S.pointer?.startsWith(`${d}/`))?.detail;q(()=>{u&&document.querySelector('.new-evening [aria-invalid="true"]')?.focus()},[u]);let $=["/players","/name","/dealer","/chip_value","/rules","/overrule","/played_on"],y=()=>{p(),te(v)},W=()=>{Ce(document.querySelector(".new-evening"))||a(Pt(e,t))};return l`<form class="new-evening" onSubmit=${d=>{d.preventDefault(),W()}} novalidate>
    <${Je} text=${e.names} players=${t.players} wrong=${h("/players")} change=${d=>o({names:d})} />
    ${n&&l`<div class="row draft-note" role="status" data-test="draft"><span class="grow soft small">${i("Not opened yet; kept on this phone until you open or discard it.")}</span><button type="button" class="quiet" data-test="discard" onClick=${y}>${i("Discard")}</button></div>`}
    <label class="field"><span class="field-label">${i("Deck")}</span>
      <select data-test="deck" value=${e.deck} onChange=${d=>o({deck:se(d)})}>
        ${t.decks.map(d=>l`<option key=${d} value=${d}>${w(t.deck_labels[d])}</option>`)}</select></label>
    <label class="field"><span class="field-label">${i("Who deals first")}</span>
      <select data-test="first-dealer" value=${e.dealer} onChange=${d=>o({dealer:se(d)})}>
        <option value="">${m[0]?i("{name}, who sits first",{name:m[0]}):i("Whoever sits first")}</option>
        ${m.slice(1).map((d,S)=>l`<option key=${S} value=${S+2}>${d}</option>`)}</select>
      ${h("/dealer")&&l`<span class="wrong" role="alert">${h("/dealer")}</span>`}</label>
    <label class="field"><span class="field-label">${i("What the evening is called")} <span class="soft">${i("(if wanted)")}</span></span>
      <input data-test="evening" value=${e.name} maxlength="100" autocomplete="off" dir="auto" aria-invalid=${!!h("/name")} onInput=${d=>o({name:se(d)})} />
      ${h("/name")&&l`<span class="wrong" role="alert">${h("/name")}</span>`}</label>
    <${_e} currency=${e.currency} perChip=${e.perChip} change=${o} wrong=${h} />
    <label class="check"><input type="checkbox" data-test="odds" checked=${e.odds} onChange=${()=>o({odds:!e.odds})} /><span>${i("Tell everybody the chances")} <span class="soft">${i("(if wanted)")}</span></span></label>
    <details class="seldom" open=${!!e.playedOn}><summary data-test="afterwards">${i("Recorded afterwards")}</summary>
      <${Ie} value=${e.playedOn} wrong=${h("/played_on")} change=${d=>o({playedOn:d})} /></details>
    ${t.rules.length>0&&l`<section class="rules" aria-labelledby="house-rules"><h3 id="house-rules">${i("House rules")}</h3><p class="soft small">${i("As they usually are. Most tables change nothing.")}</p>
      <${Me} game=${t} deck=${e.deck} given=${e.rules} problem=${u} change=${d=>o({rules:d})} /></section>`}
    <div class="bar">
      ${f?l`<${Re} again=${W} busy=${r} />`:l`<${j} problem=${u} but=${d=>$.some(S=>d.startsWith(S))} />`}
      ${!f&&l`<button class="main wide" data-test="open" disabled=${r}>${c.length?x("Open for {count}","Open for {count}",c.length):i("Open")}</button>`}
    </div>
  </form>`}var jt=3;function Dt(t){return t==="owner"?i("yours"):t==="scorer"?i("you record"):i("you look on")}function ze({games:t}){let[e,n]=k(!1),[s,a]=k(null),[r,u]=k(null),f=Q(),p=e?O.value:O.value.slice(0,jt),c=O.value.find(o=>o.role!=="viewer"),m=(o,h)=>{u(o),f.open({continues:o.token,...h})};return l`<section class="recent" aria-labelledby="recent"><h2 id="recent">${i("On this phone")}</h2>
    <ul>${p.map(o=>l`<li key=${o.id} class="evening">
      <a class="evening-open" href=${Te(o.id)} data-test=${`recent-${o.id}`}>
        <b dir="auto">${o.name??ae(t,o.game)}</b>
        <span class="soft small">${[o.name?ae(t,o.game):"",o.people.length?x("{count} person","{count} people",o.people.length):"",o.status==="closed"?i("closed"):"",Dt(o.role)].filter(Boolean).join(" \xB7 ")}</span>
        <span class="soft small one-line" dir="auto">${o.people.length?ge(V(o.people)):""}</span>
        <span class="soft small">${o.played?i("Played on {day}",{day:be(o.played)}):$e(o.seen)}</span>
      </a>
      <div class="evening-tools">
        ${o.role!=="viewer"&&l`<button type="button" class="quiet" disabled=${f.busy} data-test=${o.id===c?.id?"next-evening":`next-evening-${o.id}`} onClick=${()=>m(o)}>${i("Next evening")}</button>`}
        <button type="button" class="icon" aria-label=${i("Forget {name} on this phone",{name:o.name??ae(t,o.game)})} data-test=${`forget-${o.id}`} onClick=${()=>a(o)}>×</button>
      </div>
      ${r?.id===o.id&&l`<${Be} opening=${f} again=${h=>m(o,h)} />`}
    </li>`)}</ul>
    ${O.value.length>p.length&&l`<button type="button" class="chip" data-test="more-recent" onClick=${()=>n(!0)}>${x("{count} more","{count} more",O.value.length-p.length)}</button>`}
    ${s&&l`<${Mt} evening=${s} close=${()=>a(null)} />`}
  </section>`}var ae=(t,e)=>w(t.find(n=>n.name===e)?.title)||e;function Mt({evening:t,close:e}){let n=()=>{Se(t.id),e()};return l`<${H} title=${i("Forget it on this phone?")} close=${e} hook="forget">
    <p>${t.role==="owner"?i("This phone has the owner's key. Unless it was kept elsewhere (by QR code, print or file), nobody can let others in, mend or delete this evening any more."):i("To come back, you need the link again.")}</p>
    <p class="soft">${i("The evening itself stays as it is.")}</p>
    <div class="row"><button type="button" class="quiet grow" onClick=${e}>${i("Keep it")}</button><button type="button" class="main danger grow" data-test="confirm" onClick=${n}>${i("Forget it")}</button></div>
  <//>`}var Wt={en:["Aki","Ben","Chie","Daisuke","Emi","Fumio","Goro","Haruka","Ichiro","Junko","Kenji","Masako"],ja:["\u660E","\u52C9","\u5343\u6075","\u5927\u8F14","\u6075\u7F8E","\u6587\u96C4","\u4E94\u90CE","\u6625\u9999","\u4E00\u90CE","\u5BFF\u5B50","\u5065\u4E8C","\u96C5\u5B50"]},Xe={shirinma:{people:12,round:`dealer p12
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
p4 x6`}},Ze=t=>t.name in Xe;function et({game:t,close:e}){let[n,s]=k(null),[a,r]=k(null),{people:u,round:f}=Xe[t.name],p=Wt[U.value].slice(0,u);q(()=>{let $=`game ${t.name}
players ${p.join(" ")}
${f}
`;L("POST",`/v1/calculate/${t.name}`,{body:$,headers:{"Content-Type":"text/plain"}}).then(s,y=>r(J(y)))},[t.name,U.value]);let c=$=>p[Number($.slice(1))-1]??$,m=n?.round.outcome,o=Object.entries(n?.balances??{}).sort(([,$],[,y])=>y-$),h=Math.max(1,...o.map(([,$])=>Math.abs($)));return l`<${H} title=${w(t.title)} close=${e} hook="sample">
    <p class="stamp">${i("A sample. Nothing of it is kept.")}</p>
    <${j} problem=${a} />
    ${m&&l`<div aria-live="polite">
      <p class="sample-outcome">${m.winner&&l`<b>${c(m.winner)}</b>`}<span class="soft">${w(t.results[m.result])}</span></p>
      <ul class="reasons">${m.explanation[U.value].map($=>l`<li>${$}</li>`)}</ul>
      <table class="entries bars" data-test="sample-chips"><thead class="hidden"><tr><th>${i("Name")}</th><td></td><th>${i("Chips")}</th></tr></thead><tbody>${o.map(([$,y])=>l`<tr key=${$}><th scope="row">${c($)}</th>
        <td class="bar-cell" aria-hidden="true"><meter class=${y<0?"loss":"gain"} min="0" max=${h} value=${Math.abs(y)}></meter></td>
        <td class=${`figure ${y>0?"gain":""}`}>${ve(y)}</td></tr>`)}</tbody></table>
      <p class="soft small">${i("At the table you tap what you see; the chips are worked out for you, and every number says where it comes from.")}</p></div>`}
  <//>`}function oe(){let[t,e]=k([]),[n,s]=k(null),[a,r]=k(T("start","start")?.game??""),u=F(!1),[f,p]=k(null);q(()=>{K().then(e,o=>s(J(o)))},[]);let c=t.find(o=>o.name===a),m=o=>{let h=T("start","start");h&&D("start","start",{...h,game:o}),r(o)};return q(()=>{a&&u.current&&document.getElementById("new")?.scrollIntoView({block:"start"}),u.current=!0},[a]),l`<main class="start">
    <header class="start-head"><h1>Fuda Ledger</h1><${Ne} /></header>
    ${O.value.length===0&&!c&&l`<p class="lead">${i("The scores of an evening of cards, kept by a phone at the table. No account; whoever has the link can look on.")}</p>`}
    ${O.value.length>0&&l`<${ze} games=${t} />`}
    <section aria-labelledby="new">
      <h2 id="new">${i("A new evening")}</h2>
      <${j} problem=${n} />
      <div class="tiles" role="group" aria-labelledby="new">${t.map(o=>l`<${Gt} key=${o.name} game=${o} chosen=${a===o.name} choose=${m} />`)}</div>
      ${c?l`<${Ye} key=${c.name} game=${c} />`:l`<div class="samples"><h3>${i("Or look at a sample first")}</h3><div class="row wrap">${t.filter(Ze).map(o=>l`<button type="button" key=${o.name} class="chip" data-test=${`sample-${o.name}`} onClick=${()=>p(o)}>${w(o.title)}</button>`)}</div></div>`}
    </section>
    ${f&&l`<${et} game=${f} close=${()=>p(null)} />`}
  </main>`}function Gt({game:t,chosen:e,choose:n}){let{min:s,max:a}=t.players;return l`<button type="button" class="tile" aria-pressed=${e} data-test=${`new-game-${t.name}`} onClick=${()=>n(t.name)}>
    <b>${w(t.title)}</b><span class="soft">${i("{min}\u2013{max} people",{min:s,max:a})}</span></button>`}var le=()=>import("./session-JBVHOQ7A.js"),tt=()=>import("./leaves-QO5YFQLS.js"),ce=b(null),re=b(null),g=b(null),nt=(t,e)=>L("GET",`/v1/sessions/${encodeURIComponent(t)}/links/me`,{token:e});async function st(t,e){try{let n=await nt(t,e),s=N(t);s&&s.token!==e&&await Ft(t,s.token)&&we(t),_({id:t,token:e,role:n.role})}catch(n){if(!(n instanceof P))return;N(t)||_({id:t,token:e,role:"viewer"}),addEventListener("online",()=>{B.peek().session===t?at(t,e):st(t,e)},{once:!0})}}var Ft=(t,e)=>nt(t,e).then(()=>!1,n=>n instanceof E&&n.problem.status===401);I(()=>{let{session:t,token:e}=B.value;at(t,e)});async function at(t,e){t&&e&&await st(t,e),!(g.peek()?.id===t&&!e)&&(g.peek()?.leave(),ce.value=null,g.value=t?He(t):null)}I(()=>{document.documentElement.dataset.seq=String(g.value?.seq.value??"")});I(()=>{let t=g.value?.session.value;t&&!C.peek()&&Kt(t.game,t.deck).catch(()=>{})});var Ut=R(()=>String(g.value?.session.value?.rules.western_courts??"JQK"));I(()=>{let t=ce.value;C.value=t&&{game:t.game,deck:Ee(t.game,t.deck,Ut.value)}});async function Kt(t,e){let[n,s]=await Promise.all([xe(t),Oe(e),M(()=>Ge(t))]);ce.value={game:n,deck:s}}I(()=>{let{session:t,view:e}=B.value;t?e==="table"?M(le).then(({Table:n})=>ie({table:n},e,"table")):Promise.all([M(le),M(tt)]).then(([{Table:n},{VIEWS:s}])=>ie({table:n,...s},e,"table")):ie({start:oe},e,"start")});function ie(t,e,n){let s=t[e]?e:n;B.peek().view!==e||re.peek()?.name===s||(re.value={name:s,View:t[s]})}function Vt(){let{session:t,about:e}=B.value,n=re.value,s=g.value?.session.value;if(Fe(n?.name??"",t,C.value&&s?s.name??w(C.value.game.title):void 0),!n)return null;if(!t)return n.name==="start"?l`<${n.View} about=${e} />`:null;let a=g.value?.lost.value,r=a&&a.status!==403?g.value?.waiting.value.length??0:0;return a?l`<main class="lost"><h1>${i("This table cannot be opened")}</h1><p role="alert" data-test="problem">${r>0?l`<b data-test="pending">${x("Your link has ended; {count} report waits here.","Your link has ended; {count} reports wait here.",r)}</b> ${i("This phone keeps what waits, and sends it once a new link to this table is opened on it.")}`:a.detail}</p><p><a href="#/">${i("To the start")}</a></p></main>`:!g.value?.session.value||!C.value?l`<main class="waiting" aria-busy="true"></main>`:l`<${We} sitting=${g.value} /><${n.View} key=${`${t}/${g.value.books.value}`} sitting=${g.value} game=${C.value.game} deck=${C.value.deck} about=${e} />`}var Ht=B.value.session?null:K().catch(()=>{});await he();var ot=document.getElementById("page");ot.replaceChildren();de(l`<${Vt} />`,ot);await Ht;Ue();qe([le,tt,()=>import("./uPlot.esm-UUWDIHF7.js"),()=>import("./qrcode-5SL77NCJ.js")]);
