// npm install react@19.3.1 react-dom@19.3.1 jsdom
// node react-form-action-error.mjs
import { JSDOM } from 'jsdom'

const { window } = new JSDOM('<div id="root"></div>', { pretendToBeVisual: true })
Object.assign(globalThis, {
  window,
  document: window.document,
  FormData: window.FormData,
  IS_REACT_ACT_ENVIRONMENT: true,
})
Object.defineProperty(globalThis, 'navigator', { value: window.navigator })
const { act, Component, createElement } = await import('react')
const { createRoot } = await import('react-dom/client')

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
const root = createRoot(container, { onCaughtError() {} })
await act(() => root.render(createElement(Boundary, null, form)))
container.querySelector('input').value = 'half an hour of work'

// A listener of the document learns of the submit, but not which function React will call.
document.addEventListener(
  'submit',
  ({ target }) => console.log('the action of the form is', String(target.action).slice(0, 40)),
  { capture: true },
)
await act(async () => container.querySelector('form').requestSubmit())
console.log('the page:', container.innerHTML)
