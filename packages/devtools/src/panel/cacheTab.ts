import { button, bytesText, element, note, table, timeText } from './element.ts'
import { read, sendCommand } from './panelRequests.ts'
import type { PanelTab, TabContext } from './panelTab.ts'

type CacheEntry = {
  readonly key: string
  readonly tags: readonly string[]
  readonly bytes: number
  readonly storedAtMs: number
  readonly revalidateAtMs: number | null
  readonly expireAtMs: number | null
}

type CacheAnswer = { readonly count: number; readonly entries: readonly CacheEntry[] }

/** Lists the entries in the dev server's cache, and invalidates tags. */
export const cacheTab: PanelTab = {
  id: 'cache',
  title: 'Cache',
  everyMs: 5_000,
  async render(context) {
    const { count, entries } = await read<CacheAnswer>('cache')
    const wanted = element('input', {
      type: 'text',
      name: 'tag',
      autocomplete: 'off',
      spellcheck: false,
    })
    const form = element(
      'form',
      { className: 'line' },
      element('label', {}, 'Tag ', wanted),
      element('button', { type: 'submit' }, 'Invalidate'),
    )
    form.onsubmit = (event) => {
      event.preventDefault()
      if (wanted.value.trim()) void invalidate([wanted.value.trim()], context)
    }
    const rows = entries.map((entry) => [
      element('code', { title: entry.key }, entry.key),
      element('span', { className: 'tags' }, ...entry.tags.map((tag) => tagButton(tag, context))),
      bytesText(entry.bytes),
      `${timeText(Date.now() - entry.storedAtMs)} ago`,
      stateOf(entry),
    ])
    const lead = `${count} ${count === 1 ? 'entry' : 'entries'} in memory. Click a tag to invalidate all entries that have it.`
    return element(
      'div',
      {},
      form,
      note(
        count === 0
          ? "The cache is empty. The app hasn't cached anything since the last edit."
          : lead,
      ),
      rows.length > 0 && table('Cache entries', ['Key', 'Tags', 'Size', 'Stored', 'State'], rows),
    )
  },
}

export function tagButton(tag: string, context: TabContext): HTMLElement {
  const made = button(tag, () => void invalidate([tag], context), 'tag')
  made.title = `Invalidate ${tag}`
  return made
}

async function invalidate(
  tags: readonly string[],
  { announce, refresh }: TabContext,
): Promise<void> {
  await sendCommand('cache', { invalidate: tags }).then(
    () => announce(`Invalidated ${tags.join(', ')}.`),
    (thrown: unknown) => announce(String(thrown)),
  )
  refresh()
}

function stateOf({ revalidateAtMs, expireAtMs }: CacheEntry): string {
  const nowMs = Date.now()
  if (expireAtMs !== null && expireAtMs <= nowMs) return 'expired'
  if (revalidateAtMs !== null && revalidateAtMs <= nowMs) return 'stale'
  return revalidateAtMs === null ? 'fresh' : `fresh for ${timeText(revalidateAtMs - nowMs)}`
}
