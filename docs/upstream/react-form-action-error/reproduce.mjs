// Run `node reproduce.mjs`, or `node reproduce.mjs <version>` for another version of React.
import { execSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'

// Install the packages into a temporary folder, and load them from there.
const version = process.argv[2] ?? '19.3.1'
const packages = `react@${version} react-dom@${version} jsdom@26.1.0`
const folder = mkdtempSync(path.join(tmpdir(), 'reproduce-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
execSync(`npm install --prefix . --legacy-peer-deps ${packages}`, {
  cwd: folder,
  stdio: ['ignore', 'ignore', 'inherit'],
})
const require = createRequire(path.join(folder, 'index.js'))

const { JSDOM } = require('jsdom')
const { window } = new JSDOM('<div id="root"></div>', { pretendToBeVisual: true })
Object.assign(globalThis, {
  window,
  document: window.document,
  FormData: window.FormData,
  IS_REACT_ACT_ENVIRONMENT: true,
})
Object.defineProperty(globalThis, 'navigator', { value: window.navigator })
const { act, Component, createElement } = require('react')
const { createRoot } = require('react-dom/client')

class Boundary extends Component {
  state = { error: null }
  static getDerivedStateFromError = (error) => ({ error })
  render() {
    return this.state.error ? `error screen: ${this.state.error.message}` : this.props.children
  }
}
const save = async () => {
  throw new TypeError('Failed to fetch')
}
const form = createElement('form', { action: save }, createElement('input', { name: 'text' }))
const container = document.getElementById('root')
// The option of the proposed change keeps the form until its promise settles.
const onActionError = () => new Promise(() => {})
const root = createRoot(container, { onCaughtError() {}, onActionError })
await act(() => root.render(createElement(Boundary, null, form)))
container.querySelector('input').value = 'half an hour of work'

// A listener of the document gets the event, but not the function that React will call.
document.addEventListener(
  'submit',
  ({ target }) => console.log('form.action:', String(target.action).slice(0, 40)),
  { capture: true },
)
await act(async () => container.querySelector('form').requestSubmit())
console.log('the page:', container.innerHTML)
console.log(container.querySelector('form') === null ? 'reproduced' : 'not reproduced')
