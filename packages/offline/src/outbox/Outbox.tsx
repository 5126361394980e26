'use client'

import { useId } from 'react'
import type { OutboxTexts } from '../shared/texts.ts'
import type { EntryField } from './entry.ts'
import type { OutboxEntry } from './outboxState.ts'
import { outboxLocale, outboxTexts } from './outboxTexts.ts'
import { useOutbox } from './useOutbox.ts'

const box = {
  boxSizing: 'border-box',
  padding: '.875rem',
  borderRadius: '.625rem',
  border: '1px solid light-dark(#0002, #fff3)',
  background: 'light-dark(#fff, #1c1c1e)',
  color: 'light-dark(#1a1a1a, #f2f2f2)',
  font: '400 .9375rem/1.45 system-ui, sans-serif',
} as const

const button = {
  appearance: 'none',
  minHeight: 44,
  padding: '.375rem .75rem',
  borderRadius: '.5rem',
  border: '1px solid light-dark(#0004, #fff5)',
  background: 'none',
  color: 'inherit',
  font: 'inherit',
  fontSize: '.875rem',
  cursor: 'pointer',
} as const

// In English, the browser's own language also tells the format of the visitor's region.
const dateLanguage = outboxLocale.lang === 'en' ? undefined : outboxLocale.lang

const row = { display: 'flex', flexWrap: 'wrap', gap: '.5rem' } as const

/**
 * Lists the waiting entries with their age, and lets visitors edit or delete them. Renders nothing
 * without entries.
 * @param props `name` as in `useOutbox`; `texts` override the texts in `screens.ts`
 */
export function Outbox({
  name,
  texts,
}: {
  readonly name?: string
  readonly texts?: Partial<OutboxTexts>
}) {
  const entries = useOutbox(name === undefined ? {} : { name })
  const titleId = useId()
  const mergedTexts = { ...outboxTexts, ...texts }
  if (entries.length === 0) return null
  return (
    <section aria-labelledby={titleId} style={box} data-waymark-outbox="" {...outboxLocale}>
      <h2 id={titleId} style={{ margin: 0, font: 'inherit', fontWeight: 600 }}>
        {mergedTexts.title}
      </h2>
      <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {entries.map((entry) => (
          <Item key={entry.key} entry={entry} texts={mergedTexts} />
        ))}
      </ul>
    </section>
  )
}

function Item({ entry, texts }: { readonly entry: OutboxEntry; readonly texts: OutboxTexts }) {
  const { label, fields, madeAtMs, problem, state } = entry
  const labelId = useId()
  const made = new Date(madeAtMs)
  return (
    <li aria-labelledby={labelId} style={{ marginTop: '.75rem' }}>
      <div id={labelId} style={{ fontWeight: 500 }}>
        <bdi>{label}</bdi>
      </div>
      <Fields fields={fields} />
      <p role="status" style={{ margin: '.25rem 0' }}>
        {problem ? problem.message : state === 'sending' ? texts.sending : texts.waiting}
        {' · '}
        <time dateTime={made.toISOString()}>{made.toLocaleString(dateLanguage)}</time>
      </p>
      {problem?.kind === 'conflict' && <Current value={problem.current} text={texts.current} />}
      <div style={row}>
        <Action text={texts.edit} labelId={labelId} run={entry.edit} />
        <Action text={texts.retry} labelId={labelId} run={entry.retry} />
        <Action text={texts.withdraw} labelId={labelId} run={entry.withdraw} />
      </div>
    </li>
  )
}

function Fields({ fields }: { readonly fields: readonly EntryField[] }) {
  return (
    <dl style={{ margin: '.25rem 0' }}>
      {fields.map(([name, value], at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fields can share a name, and their order never changes
        <div key={at} style={row}>
          <dt>
            <bdi>{name}</bdi>:
          </dt>
          <dd dir="auto" style={{ margin: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Shows the stored values next to the entered ones. */
function Current({ value, text }: { readonly value: unknown; readonly text: string }) {
  const isObject = typeof value === 'object' && value !== null
  const pairs = isObject ? Object.entries(value) : [['', value] as const]
  const fields = pairs.map(([name, each]): EntryField => [name, textOf(each)])
  return (
    <div>
      <div>{text}</div>
      {isObject ? <Fields fields={fields} /> : <p>{textOf(value)}</p>}
    </div>
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function Action({
  text,
  labelId,
  run,
}: {
  readonly text: string
  readonly labelId: string
  readonly run: () => void
}) {
  const id = useId()
  return (
    <button id={id} type="button" style={button} aria-labelledby={`${id} ${labelId}`} onClick={run}>
      {text}
    </button>
  )
}
