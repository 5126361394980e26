/** Records the events of all documents in a frame. */
export function watchFrame(frame, events) {
  let watched = null
  setInterval(() => {
    // If the browser can't open a page, it shows an error document of a different origin, which
    // can't be read.
    const opened = frame.contentDocument
    if (!opened || opened === watched || opened.URL === 'about:blank') return
    watched = opened
    watch(frame.contentWindow, (text) => events.push({ atMs: Date.now(), text }))
  })
}

/**
 * Reports the events of clicks and of their document.
 * @param {Window} view window of the document
 * @param {(text: string) => void} tell is called with a description of each event
 */
export function watch(view, tell) {
  const { document, location, console } = view
  const nameOf = (node) =>
    node instanceof view.Element ? node.cloneNode().outerHTML : String(node?.nodeName)
  const on = (name, textOf) =>
    view.addEventListener(name, (event) => tell(`${name}: ${textOf(event)}`), { capture: true })
  tell(`document: ${location.href}, ${document.readyState}`)
  on('click', (event) => {
    const isOfReact = Object.keys(event.target).some((key) => key.startsWith('__react'))
    // Read `defaultPrevented` after a timeout, because all listeners have been called then.
    view.setTimeout(() => tell(`click: ${event.defaultPrevented ? '' : 'not '}prevented`))
    return `${nameOf(event.target)}, ${isOfReact ? '' : 'not '}hydrated`
  })
  on('popstate', () => location.href)
  on('load', ({ target }) => nameOf(target))
  on('error', ({ message, target }) => message ?? nameOf(target))
  on('unhandledrejection', ({ reason }) => reason)
  on('pageshow', ({ persisted }) => (persisted ? 'cached' : 'new'))
  on('pagehide', ({ persisted }) => (persisted ? 'cached' : 'gone'))
  view.navigation?.addEventListener('navigate', ({ navigationType, destination }) => {
    const where = destination.sameDocument ? 'within the document' : 'another document'
    tell(`navigate: ${navigationType} ${destination.url}, ${where}`)
  })
  for (const level of ['error', 'warn']) {
    const log = console[level]
    console[level] = (...values) => {
      tell(`console.${level}: ${values.join(' ')}`)
      log.apply(console, values)
    }
  }
}
