import { button, element, facts, note, type PanelChild, timeText } from './element.ts'
import { editorButton, PanelError, read } from './panelRequests.ts'
import type { PanelTab } from './panelTab.ts'

type ErrorEntry = {
  readonly digest: string
  readonly time: string
  readonly phase: string
  readonly route: string | null
  readonly path: string | null
  readonly name: string
  readonly message: string
}

type Place = {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly isAppCode: boolean
}
type Frame = {
  readonly text: string
  readonly functionName: string | null
  readonly place: Place | null
}
type ErrorDetail = {
  readonly digest: string
  readonly name: string
  readonly message: string
  readonly method: string | null
  readonly path: string | null
  readonly status: number | null
  readonly requestId: string | null
  readonly code: (Omit<Place, 'isAppCode'> & { readonly text: string }) | null
  readonly frames: readonly Frame[]
  readonly causes: readonly {
    readonly name: string
    readonly message: string
    readonly frames: readonly Frame[]
  }[]
  readonly componentFrames: readonly Frame[]
}

/** Shows the journal: a list of the newest errors, and the error with a given digest. */
export const errorsTab: PanelTab = {
  id: 'errors',
  title: 'Errors',
  everyMs: 5_000,
  async render() {
    const entries = await read<readonly ErrorEntry[]>('errors')
    const detail = element('div', { role: 'status' })
    const wanted = element('input', {
      type: 'text',
      name: 'digest',
      autocomplete: 'off',
      spellcheck: false,
    })
    const form = element(
      'form',
      { className: 'line' },
      element('label', {}, 'Digest ', wanted),
      element('button', { type: 'submit' }, 'Look up'),
    )
    form.onsubmit = (event) => {
      event.preventDefault()
      void fill(detail, wanted.value.trim())
    }
    const list = entries.map(row)
    return element(
      'div',
      {},
      form,
      detail,
      list.length > 0
        ? element('div', { className: 'rows' }, ...list)
        : note('The journal has no errors.'),
    )
  },
}

function row(entry: ErrorEntry): HTMLElement {
  const { digest, time, phase, route, path, name, message } = entry
  const [first = ''] = message.split('\n', 1)
  const body = element('div', { className: 'detail' })
  const made = element(
    'details',
    {},
    element(
      'summary',
      {},
      element('strong', {}, name),
      ` ${first} `,
      element(
        'small',
        {},
        [phase, route ?? path, `${timeText(Date.now() - Date.parse(time))} ago`, digest]
          .filter(Boolean)
          .join(' · '),
      ),
    ),
    body,
  )
  made.ontoggle = () => {
    if (made.open && !body.hasChildNodes()) void fill(body, digest)
  }
  return made
}

async function fill(place: HTMLElement, digest: string): Promise<void> {
  if (digest === '') return
  place.replaceChildren(note('Loading…'))
  try {
    place.replaceChildren(detailOf(await read<ErrorDetail>('errors', { digest })))
  } catch (thrown) {
    const text = thrown instanceof PanelError ? thrown.message : String(thrown)
    place.replaceChildren(note(text.replace(/^Error: /, ''), 'note bad'))
  }
}

function detailOf(detail: ErrorDetail): HTMLElement {
  const { digest, message, code, frames, causes, componentFrames } = detail
  const request = [detail.method, detail.path].filter(Boolean).join(' ')
  return element(
    'div',
    {},
    element('pre', { className: 'message' }, `${detail.name}: ${message}`),
    facts([
      ['Digest', element('code', {}, digest)],
      ['Request', request && element('code', {}, request)],
      ['Status', detail.status === null ? null : String(detail.status)],
      ['Request ID', detail.requestId],
    ]),
    code && editorButton(code, `${shortName(code.file)}:${code.line}`),
    code && element('pre', { tabIndex: 0 }, code.text),
    stack('Stack', frames),
    ...causes.flatMap((cause) => [
      element('pre', { className: 'message' }, `caused by ${cause.name}: ${cause.message}`),
      stack('Stack of the cause', cause.frames),
    ]),
    stack('Rendered by', componentFrames),
    button('Copy', () => void navigator.clipboard?.writeText(JSON.stringify(detail, null, 2))),
  )
}

function stack(title: string, frames: readonly Frame[]): PanelChild {
  if (frames.length === 0) return null
  const lines = frames.map(({ text, functionName, place }) =>
    place?.isAppCode
      ? element(
          'li',
          {},
          `${functionName ?? '(anonymous)'} `,
          editorButton(place, `${shortName(place.file)}:${place.line}`),
        )
      : element('li', { className: 'faint' }, text),
  )
  return element(
    'details',
    { open: frames.length < 4 },
    element('summary', {}, title),
    element('ol', { className: 'stack' }, ...lines),
  )
}

function shortName(file: string): string {
  return file.split('/').slice(-3).join('/')
}
