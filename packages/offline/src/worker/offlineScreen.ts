import { type KeptPage, openablePages } from '../shared/keptEntry.ts'
import { fillTime, parseTexts, textsName, timeText } from '../shared/offlineTexts.ts'

/** Without assets: none may be there. Centred, in the colours of the core's own screens. */
const style =
  ':root{color-scheme:light dark}body{margin:0;background:light-dark(#fff,#111);' +
  'color:light-dark(#1a1a1a,#ededed);font:400 1rem/1.5 system-ui,sans-serif}' +
  'main{box-sizing:border-box;max-width:36rem;margin:0 auto;padding:min(20vh,10rem) 1.5rem 3rem}' +
  'h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25}p{margin:0 0 2rem}' +
  'ul{margin:.5rem 0;padding:0;list-style:none;border-top:1px solid light-dark(#0002,#fff3)}' +
  'li{display:flex;flex-wrap:wrap;gap:0 1rem;justify-content:space-between;align-items:baseline;' +
  'border-bottom:1px solid light-dark(#0002,#fff3)}' +
  'a{padding:.7rem 0;color:inherit;font-weight:500;overflow-wrap:anywhere}' +
  'small,p{color:light-dark(#555,#aaa)}'

/** Opens the page once there is a connection; what gateways say in its place is none. */
const script =
  'let n=4e3,l=()=>location.reload(),f=()=>fetch(location,{method:"HEAD",cache:"no-store"})' +
  '.then(r=>r.status<500?l():g(),g),g=()=>setTimeout(f,n=Math.min(n*1.5,6e4));' +
  'addEventListener("online",l);document.addEventListener("visibilitychange",()=>document.hidden||f());g()'

/**
 * The screen in place of a page that is not kept: it lists those that are.
 * @param sample HTML of a kept page, which has the theme, the language and the texts of the app
 */
export function offlineScreen(kept: readonly KeptPage[], sample: string, nowMs: number): Response {
  const nonce = crypto.randomUUID()
  const [htmlTag = '<html>'] = /<html[^>]*>/.exec(sample) ?? []
  const lang = /lang="([^"]*)"/.exec(htmlTag)?.[1] ?? ''
  const theme = /<script (data-waymark-theme=.*?<\/script>)/s.exec(sample)?.[1]
  const meta = new RegExp(`<meta name="${textsName}" content="([^"]*)"`).exec(sample)?.[1]
  const texts = parseTexts(meta?.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
  const items = openablePages(kept, nowMs).map(({ url, title, savedAtMs }) => {
    const time = escapeHtml(fillTime(texts.keptAsOf, timeText(savedAtMs, nowMs, lang)))
    return `<li><a href="${escapeHtml(url)}">${title}</a><small>${time}</small></li>`
  })
  const list = items.length > 0 ? `<p>${escapeHtml(texts.kept)}</p><ul>${items.join('')}</ul>` : ''
  const html =
    `<!DOCTYPE html>${htmlTag}<head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width">` +
    `${theme ? `<script nonce="${nonce}" ${theme}` : ''}<title>${escapeHtml(texts.title)}</title>` +
    `<style nonce="${nonce}">${style}</style></head><body><main><h1>${escapeHtml(texts.heading)}</h1>` +
    `<p>${escapeHtml(texts.sentence)}</p>${list}</main>` +
    `<script nonce="${nonce}">${script}</script></body></html>`
  const source = `'nonce-${nonce}'`
  return new Response(html, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; script-src ${source}; style-src ${source}; connect-src 'self'`,
    },
  })
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
}
