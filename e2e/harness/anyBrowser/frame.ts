/** A page of the app in an iframe. The surrounding page runs the cases. */
export type Frame = {
  readonly window: Window & typeof globalThis
  /** Returns the page's current document, which changes with each load. */
  document(): Document
  /** Waits for an element that matches a selector and, if `text` is given, contains the text. */
  find(selector: string, text?: string): Promise<HTMLElement>
  /** Waits until React has hydrated an element. */
  hydrated(selector: string): Promise<HTMLElement>
  /** Returns the paths of all page data that the current document has fetched. */
  fetchedData(): string[]
  /**
   * Checks the console.
   * @throws if the console has a warning or an error, or if an exception was not caught
   */
  expectQuietConsole(): void
}

const waitAtMostMs = 10_000

/** Opens a page of the app. */
export function openFrame(path: string): Frame {
  const element = document.createElement('iframe')
  element.style.cssText = 'inline-size: 50rem; block-size: 20rem'
  element.src = path
  document.body.append(element)
  const window = element.contentWindow as Frame['window']
  const complaints = recordComplaints(window)
  const find: Frame['find'] = (selector, text = '') =>
    until(`${selector} with ‘${text}’`, () => {
      const all = [...window.document.querySelectorAll<HTMLElement>(selector)]
      return all.find((each) => each.textContent.includes(text))
    })
  return {
    window,
    document: () => window.document,
    find,
    async hydrated(selector) {
      const element = await find(selector)
      await until(`${selector} of React`, () => isOfReact(element))
      return element
    },
    fetchedData() {
      const entries = window.performance.getEntriesByType('resource')
      const paths = entries.map(({ name }) => new URL(name).pathname)
      return paths.filter((path) => path.startsWith('/_waymark/data/'))
    },
    expectQuietConsole: () => equal('the console', complaints, []),
  }
}

/** True if React has hydrated an element. React then stores the element's props on it. */
function isOfReact(element: Element): boolean {
  return Object.keys(element).some((key) => key.startsWith('__reactProps'))
}

/**
 * Records warnings and errors. Each document of a frame has its own console, which exists before
 * the first script runs.
 */
function recordComplaints(window: Frame['window']): string[] {
  const complaints: string[] = []
  const heard = new WeakSet<object>()
  setInterval(() => {
    if (heard.has(window.document)) return
    heard.add(window.document)
    const record = (...parts: unknown[]) => complaints.push(parts.map(String).join(' '))
    window.console.error = record
    window.console.warn = record
    window.addEventListener('error', ({ message }) => record(message))
    window.addEventListener('unhandledrejection', ({ reason }) => record(reason))
  }, 1)
  return complaints
}

/**
 * Calls a function until it returns a value.
 * @throws if the function hasn't returned a value after ten seconds
 */
export async function until<Result>(
  what: string,
  look: () => Result | false | null | undefined,
): Promise<Result> {
  const end = performance.now() + waitAtMostMs
  while (performance.now() < end) {
    const result = look()
    if (result) return result
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`Waited for ${what} for ten seconds without success.`)
}

/**
 * Compares two values as JSON.
 * @throws if the values differ
 */
export function equal(what: string, actual: unknown, expected: unknown): void {
  const has = JSON.stringify(actual)
  const wants = JSON.stringify(expected)
  if (has !== wants) throw new Error(`${what}: ${has} instead of ${wants}`)
}
