import type { ContractPart, DescribedEntry, Outcome } from '@waymark/contract/dev'
import type { ContractResult, PageContract } from '../contract.ts'
import { button, element, facts, note, type PanelChild, table } from './element.ts'
import { appPathname, read } from './panelRequests.ts'
import type { PanelTab, TabContext } from './panelTab.ts'

const command = 'npx waymark contract'

/** Shows what the app's contract says about the page: who gets it, and who may call its actions. */
export const contractTab: PanelTab = {
  id: 'contract',
  title: 'Contract',
  everyMs: 2_000,
  async render(context) {
    const pathname = appPathname(context.page())
    const result = await read<ContractResult<PageContract>>('contract', { pathname })
    switch (result.kind) {
      case 'missing':
        return missing(result, context)
      case 'unreadable':
        return element('div', {}, element('h2', {}, 'Unreadable contract'), note(result.problem))
      case 'read': {
        const { pattern, part } = result.value
        return element(
          'div',
          {},
          result.newerFile !== null && outdated(result.newerFile, context),
          part === null ? note(`No route matches ${pathname}.`) : describe(pattern ?? '', part),
        )
      }
    }
  },
}

function missing(
  { commands, config }: Extract<ContractResult<never>, { kind: 'missing' }>,
  context: TabContext,
): HTMLElement {
  const [install, write] = commands.length > 1 ? commands : [null, ...commands]
  return element(
    'div',
    {},
    element('h2', {}, 'No contract yet'),
    note(
      'A contract is a file that says what each page, action and handler gives to whom. Once you have written it, this tab shows the part about the current page.',
      'lead',
    ),
    install !== null && element('h3', {}, 'Install the package'),
    install !== null && commandLine(install ?? '', context),
    config !== null && element('h3', {}, 'Add it to vite.config.ts'),
    config !== null && element('pre', { tabIndex: 0 }, config),
    install !== null && element('h3', {}, 'Write the contract'),
    commandLine(write ?? command, context),
  )
}

function outdated(newerFile: string, context: TabContext): HTMLElement {
  return element(
    'div',
    { className: 'why' },
    note(`${newerFile} is newer than contract.txt, so this may be out of date.`, ''),
    commandLine(command, context),
  )
}

/** Creates a line with a command and a button that copies it. */
function commandLine(text: string, { view, announce }: TabContext): HTMLElement {
  const copy = () =>
    void view.navigator.clipboard?.writeText(text).then(
      () => announce('Copied.'),
      () => announce('The browser did not allow copying.'),
    )
  return element('div', { className: 'line' }, element('code', {}, text), button('Copy', copy))
}

function describe(
  pattern: string,
  { page, previews, screens, actions, notProven }: ContractPart,
): Node {
  if (page === null) {
    return note(`contract.txt has no entry for ${pattern}. To add it, run ${command}.`)
  }
  return element(
    'div',
    { className: 'columns contract' },
    element(
      'div',
      {},
      element('h2', {}, element('code', {}, pattern)),
      outcomeTable('Who gets this page', page),
      propertyList(page),
      ...previews.flatMap((preview) => [
        element('h3', {}, `Preview${preview.name.slice(pattern.length)}`),
        outcomeTable(`Who gets the preview${preview.name.slice(pattern.length)}`, preview),
        propertyList(preview),
      ]),
      screens.length > 0 && element('h3', {}, 'Accessibility of its screens'),
      facts(
        screens.map(({ name, properties }) => [name, violations(properties.accessibility ?? '')]),
      ),
    ),
    element(
      'div',
      {},
      element('h3', {}, 'Actions that this page can call'),
      actions.length > 0
        ? element('ul', { className: 'items' }, ...actions.map((each) => actionItem(each, pattern)))
        : note('None.'),
      ...unprovenList(notProven),
    ),
  )
}

/** Creates a table with a row for each persona, and a column for each request. */
function outcomeTable(caption: string, { access }: DescribedEntry): HTMLElement {
  const [first] = access
  if (!first) return note('No persona has tried this page.')
  const columns = access.map(({ request }) => requestTitles[request] ?? request)
  const rows = first.outcomes.map(({ persona }, at) => [
    persona,
    ...access.map(({ outcomes }) => outcomeText(outcomes[at])),
  ])
  const made = table(caption, ['Persona', ...columns], rows)
  made.classList.add('snug')
  return made
}

const requestTitles: Readonly<Record<string, string>> = {
  document: 'Gets',
  data: 'Page data',
  prefetch: 'Prefetch',
}

function outcomeText(outcome: Outcome | undefined): PanelChild {
  if (!outcome) return null
  return element('span', { className: `outcome ${stateOf(outcome)}` }, outcome.gets)
}

function stateOf({ gets, isAdmitted }: Outcome): string {
  if (isAdmitted) return 'admitted'
  return gets === 'not tried' ? 'untried' : 'refused'
}

const propertyTitles: readonly (readonly [key: string, title: string])[] = [
  ['layouts', 'Layouts'],
  ['proxy', 'proxy.ts'],
  ['rendering', 'Rendering'],
  ['live', 'Live'],
  ['cache', 'Cache'],
  ['script', 'Script'],
  ['content', 'Size'],
  ['accessibility', 'Accessibility'],
]

/** Lists the properties of an entry: well-known ones first, then all others by their names. */
function propertyList({ properties }: DescribedEntry): HTMLElement {
  const wellKnown = new Set(propertyTitles.map(([key]) => key))
  const others = Object.keys(properties)
    .filter((key) => !wellKnown.has(key))
    .map((key) => [key, key.charAt(0).toUpperCase() + key.slice(1)] as const)
  const all = [...propertyTitles, ...others]
  return facts(
    all.map(([key, title]) => [title, propertyText(key, properties[key] ?? '')] as const),
  )
}

function propertyText(key: string, value: string): PanelChild {
  if (value === '') return null
  if (key === 'proxy' && value === 'yes') return 'runs before this page'
  return key === 'accessibility' ? violations(value) : value
}

function violations(text: string): PanelChild {
  return text === 'no violations' ? text : element('span', { className: 'bad' }, text)
}

function actionItem({ name, access, properties }: DescribedEntry, pattern: string): HTMLElement {
  const checks = Object.entries(properties).map(([key, value]) => `${key}: ${value}`)
  return element(
    'li',
    {},
    element('code', { className: 'name' }, name),
    ...access.flatMap(({ request, outcomes }) => [
      request !== `from ${pattern}` && element('small', {}, request),
      element('dl', { className: 'facts' }, ...groupByOutcome(outcomes).flatMap(groupRow)),
    ]),
    checks.length > 0 && element('small', {}, checks.join(' · ')),
  )
}

type OutcomeGroup = { readonly outcome: Outcome; readonly personas: readonly string[] }

function groupByOutcome(outcomes: readonly Outcome[]): OutcomeGroup[] {
  const values = [...new Set(outcomes.map(({ gets }) => gets))]
  return values.flatMap((value) => {
    const same = outcomes.filter(({ gets }) => gets === value)
    const [outcome] = same
    return outcome ? [{ outcome, personas: same.map(({ persona }) => persona) }] : []
  })
}

function groupRow({ outcome, personas }: OutcomeGroup): readonly HTMLElement[] {
  return [element('dt', {}, outcomeText(outcome)), element('dd', {}, personas.join(', '))]
}

function unprovenList(notProven: Readonly<Record<string, string>>): readonly PanelChild[] {
  const items = Object.entries(notProven).map(([title, reason]) =>
    element('li', {}, element('code', { className: 'name' }, title), element('small', {}, reason)),
  )
  if (items.length === 0) return []
  return [element('h3', {}, 'Not proven'), element('ul', { className: 'items' }, ...items)]
}
