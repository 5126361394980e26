import { button, element, note, timeText } from './element.ts'
import { type FaultState, renewFaults } from './faultLease.ts'
import { read, send } from './panelRequests.ts'
import type { Tab, TabContext } from './panelTab.ts'

const targets = [
  ['data', 'Page data', 'What a navigation fetches'],
  ['document', 'Document', 'The HTML of a page that is opened or reloaded'],
  ['scripts', 'Scripts', 'Modules of the page and of the app'],
  ['styles', 'Styles', 'Style sheets'],
  ['actions', 'Actions', 'Calls and forms that are posted'],
] as const

const kinds = [
  ['', 'Works'],
  ['hang', 'Hangs: no response'],
  ['slow', 'Slow: trickles'],
  ['reset', 'Reset: the connection breaks'],
  ['cut', 'Cut: breaks off after a few bytes'],
  ['500', '500: the server fails'],
  ['offline', 'Offline: no network'],
] as const

/** Breaks what this browser asks of the dev server. */
export const faultsTab: Tab = {
  id: 'faults',
  title: 'Faults',
  everyMs: 2_000,
  async render(context) {
    const state = await read<FaultState>('faults')
    renewFaults(context.view, state)
    const once = element('input', {
      type: 'checkbox',
      checked: state.faults.some(({ isOnce }) => isOnce),
    })
    const fields = targets.map(([target, title, meaning]) => {
      const fault = state.faults.find((each) => each.target === target)
      const select = element(
        'select',
        { name: target },
        ...kinds.map(([kind, text]) =>
          element('option', { value: kind, selected: kind === (fault?.kind ?? '') }, text),
        ),
      )
      const hits = fault
        ? `hit ${fault.hits} ${fault.hits === 1 ? 'request' : 'requests'}`
        : meaning
      const label = element('label', {}, element('span', {}, title), select)
      return {
        target,
        select,
        row: element(
          'div',
          { className: fault ? 'fault on' : 'fault' },
          label,
          element('small', {}, hits),
        ),
      }
    })
    const apply = () => {
      const faults = fields.flatMap(({ target, select }) =>
        select.value ? [{ target, kind: select.value, isOnce: once.checked }] : [],
      )
      void change(faults, context)
    }
    for (const { select } of fields) select.onchange = apply
    once.onchange = apply
    const isOn = state.faults.length > 0
    return element(
      'div',
      {},
      note(
        isOn
          ? `On for this browser, on all its tabs. Off by itself in ${timeText(state.leftMs)}, or 40 seconds after the last page with these devtools is closed.`
          : 'Break what this browser asks of the dev server, here and now, and see what a visitor sees. Other browsers notice nothing.',
      ),
      element('div', { className: 'faults' }, ...fields.map(({ row }) => row)),
      element(
        'div',
        { className: 'line' },
        element('label', {}, once, ' Only the first request of each'),
        button('Reload the page', () => context.view.location.reload()),
        isOn && button('Switch all off', () => void change([], context), 'strong'),
      ),
    )
  },
}

async function change(faults: readonly object[], context: TabContext): Promise<void> {
  const focused = context.view.document.activeElement
  const state = await send<FaultState>('faults', { faults })
  renewFaults(context.view, state)
  context.announce(faults.length > 0 ? `Faults are on: ${faults.length}.` : 'Faults are off.')
  context.refresh()
  if (focused instanceof HTMLElement) focused.focus()
}
