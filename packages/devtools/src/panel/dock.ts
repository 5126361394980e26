import { element } from './element.ts'
import { markStyle } from './markStyle.ts'
import { openPanel } from './panel.ts'

/*
 * The panel as a page of its own: a dock of Vite DevTools, or a tab beside the app. Within a page
 * of the app it looks at that one, else at the path that is typed.
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

/** The page of the app that this one is shown in. */
function pageAbove(): Window | null {
  try {
    const { parent } = window
    const isApp = parent.document.querySelector('script[data-waymark-theme]') !== null
    return parent !== window && isApp ? parent : null
  } catch {
    // Of another origin.
    return null
  }
}

function pathForm(): HTMLElement {
  const path = element('input', { type: 'text', value: typed, name: 'path', spellcheck: false })
  const form = element(
    'form',
    { className: 'line path' },
    element('label', {}, 'Page ', path),
    element('button', { type: 'submit' }, 'Look at it'),
  )
  form.onsubmit = (event) => {
    event.preventDefault()
    typed = path.value.startsWith('/') ? path.value : '/'
  }
  return form
}
