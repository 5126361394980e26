import { button, element, note, timeText } from './element.ts'
import { type LeasedFaults, renewFaults } from './faultLease.ts'
import { read, sendCommand } from './panelRequests.ts'
import type { PanelTab, TabContext } from './panelTab.ts'

const targets = [
  ['data', 'Page data', 'Data that a navigation fetches'],
  ['document', 'Document', 'HTML of a page that is opened or reloaded'],
  ['scripts', 'Scripts', 'Modules of the page and the app'],
  ['styles', 'Styles', 'Style sheets'],
  ['actions', 'Actions', 'Called actions and submitted forms'],
] as const

const kinds = [
  ['', 'Works'],
  ['hang', 'Hangs: no response'],
  ['slow', 'Slow: trickles'],
  ['reset', 'Reset: the connection is reset'],
  ['cut', 'Cut: ends after a few bytes'],
  ['500', '500: server error'],
  ['offline', 'Offline: no network'],
] as const

const lookEveryMs = 2_000

/** Switches on faults that break this browser's requests to the dev server. */
export const faultsTab: PanelTab = {
  id: 'faults',
  title: 'Faults',
  async render(context) {
    const state = await read<LeasedFaults>('faults')
    renewFaults(context.view, state)
    const isOn = state.faults.length > 0
    const once = element('input', {
      type: 'checkbox',
      name: 'once',
      checked: state.faults.some(({ isOnce }) => isOnce),
    })
    const fields = targets.map((target) => createField(target, state))
    const apply = () => {
      const faults = fields.flatMap(({ target, select }) =>
        select.value ? [{ target, kind: select.value, isOnce: once.checked }] : [],
      )
      if (isOn || faults.length > 0) void change(faults, context)
    }
    for (const { select } of fields) select.onchange = apply
    once.onchange = apply
    const grid = element('div', { className: 'faults' }, ...fields.map(({ row }) => row))
    if (isOn) watchHits(grid, fields, context)
    return element(
      'div',
      {},
      note(
        isOn
          ? `On in all tabs of this browser. Switches off automatically in ${timeText(state.leftMs)}, or 40 seconds after the last page with these devtools is closed.`
          : "Break this browser's requests to the dev server, and see what a visitor would see. Other browsers are not affected.",
      ),
      grid,
      element(
        'div',
        { className: 'line' },
        element('label', {}, once, ' Only the first request of each kind'),
        button('Reload the page', () => context.view.location.reload()),
        isOn && button('Switch all off', () => void change([], context), 'strong'),
      ),
    )
  },
}

function createField([target, title, meaning]: (typeof targets)[number], state: LeasedFaults) {
  const fault = state.faults.find((each) => each.target === target)
  const options = kinds.map(([kind, text]) =>
    element('option', { value: kind, selected: kind === (fault?.kind ?? '') }, text),
  )
  const select = element('select', { name: target }, ...options)
  const description = element('small', {}, fault ? hitsText(fault.hits) : meaning)
  const label = element('label', {}, element('span', {}, title), select)
  const row = element('div', { className: fault ? 'fault on' : 'fault' }, label, description)
  return { target, select, description, row }
}

/** Updates the counts in place, so that an open select stays open. */
function watchHits(
  grid: HTMLElement,
  fields: readonly ReturnType<typeof createField>[],
  { refresh }: TabContext,
): void {
  const timer = setInterval(async () => {
    if (!grid.isConnected) return clearInterval(timer)
    const state = await read<LeasedFaults>('faults').catch(() => null)
    if (state?.faults.length === 0) refresh()
    for (const { target, hits } of state?.faults ?? []) {
      fields.find((field) => field.target === target)?.description.replaceChildren(hitsText(hits))
    }
  }, lookEveryMs)
}

function hitsText(hits: number): string {
  return `hit ${hits} ${hits === 1 ? 'request' : 'requests'}`
}

async function change(faults: readonly object[], context: TabContext): Promise<void> {
  try {
    renewFaults(context.view, await sendCommand<LeasedFaults>('faults', { faults }))
    context.announce(faults.length > 0 ? `Faults are on: ${faults.length}.` : 'Faults are off.')
  } catch (thrown) {
    context.announce(String(thrown))
  }
  context.refresh()
}
