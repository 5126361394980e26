import { element } from './element.ts'
import { markStyle } from './markStyle.ts'
import { openPanel } from './panel.ts'

/*
 * Shows the panel as a standalone page: as a dock of Vite DevTools, or in a tab next to the app. In
 * a frame on one of the app's pages, it inspects that page. Otherwise, it inspects the path that
 * the user types.
 */
const root = element('waymark-dock' as 'div').attachShadow({ mode: 'closed' })
const sheet = new CSSStyleSheet()
sheet.replaceSync(`${markStyle}:host { position: static !important; }`)
root.adoptedStyleSheets = [sheet]
document.body.style.margin = '0'
document.body.append(root.host)

const above = pageAbove()
let typed = '/'
const page = () => new URL(above?.location.href ?? typed, location.href)
if (!above) root.append(pathForm())
openPanel({ root, view: above ?? window, page, takesFocus: false, onClose: null })

/** If the panel is in a frame on one of the app's pages, returns that page's window. */
function pageAbove(): Window | null {
  try {
    const { parent } = window
    const isApp = parent.document.querySelector('script[data-waymark-theme]') !== null
    return parent !== window && isApp ? parent : null
  } catch {
    // Reading the parent page throws if it has a different origin.
    return null
  }
}

function pathForm(): HTMLElement {
  const path = element('input', { type: 'text', value: typed, name: 'path', spellcheck: false })
  const form = element(
    'form',
    { className: 'line path' },
    element('label', {}, 'Page ', path),
    element('button', { type: 'submit' }, 'Inspect'),
  )
  form.onsubmit = (event) => {
    event.preventDefault()
    typed = path.value.startsWith('/') ? path.value : '/'
  }
  return form
}
