import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { ServedBuild } from '@waymark/testing/build'
import type { BuildFacts } from '../build/buildFacts.ts'
import type { ContractConfig } from '../config/contractConfig.ts'
import { everyone } from '../contract/access.ts'
import type { ContractEntry } from '../contract/contractFile.ts'
import type { Finding, Place } from '../contract/finding.ts'
import type { ObservedResponse } from '../probe/sender.ts'
import { createEntryOf, nameEntry, type RespondingEntry } from './entryOf.ts'
import { createFindElement } from './findElement.ts'
import { readFlightRows } from './flightRows.ts'
import { readTexts } from './responseTexts.ts'
import { findSensitive, prepareSensitive, type SensitiveHit } from './sensitive.ts'
import { mergePaths, readSentProps, type SentField, type SentProps } from './sentProps.ts'

/** The content that the app has sent to browsers. */
export type Exposure = {
  /** The app's own client components, with the fields that they are sent. */
  readonly components: readonly SentComponent[]
  /** Sensitive fields and values that have left the server. */
  readonly findings: readonly Finding[]
}

export type SentComponent = {
  readonly name: string
  readonly file: string
  /** `default` for the default export. */
  readonly exportName: string
  /** The fields by path. */
  readonly fields: ReadonlyMap<string, SentFieldSummary>
  /** Line of the server component that renders the component. */
  readonly place: Place | null
}

export type SentFieldSummary = {
  /** Entries that have sent the field, such as `page /users`. */
  readonly entries: ReadonlySet<string>
  /** Bytes in the response that contains most of them. */
  readonly bytes: number
}

export type ExposedApp = {
  readonly root: string
  readonly facts: BuildFacts
  readonly config: ContractConfig
}

/** Collects what an app sends, from its responses. */
export function createExposure({ root, facts, config }: ExposedApp) {
  const sensitive = prepareSensitive(config.sensitive ?? {})
  const entryOf = createEntryOf(facts, config)
  const components = new Map<string, ReadComponent>()
  const leaks = new Map<string, Leak>()
  const personas = new Set<string>()

  function addLeak(entry: RespondingEntry, persona: string, found: LeakPlace): void {
    const { hit } = found
    const key = `${nameEntry(entry)} ${hit.kind} ${hit.label}`
    const leak = leaks.get(key) ?? { entry, hit, personas: new Set(), places: [] }
    leak.personas.add(persona)
    const isNew = !leak.places.some(({ where }) => where === found.where)
    if (isNew) leak.places.push(found)
    leaks.set(key, leak)
  }

  /** Reads the properties of client components. @returns the labels of the sensitive fields and values in them */
  function readProps(sent: SentProps, { entry, persona, sizes }: PropsSource): Set<string> {
    const { id, name } = sent.component
    const file = facts.clientModules[id] ?? null
    const component = { file, exportName: name }
    if (file !== null && isOfApp(file)) {
      const key = `${id} ${name}`
      const read: ReadComponent = components.get(key) ?? {
        file,
        exportName: name,
        fields: new Map(),
        senders: new Set(),
      }
      addFields(read, sent.fields, { entry: nameEntry(entry), sizes })
      for (const sender of entry.files) read.senders.add(sender)
      components.set(key, read)
    }
    const labels = new Set<string>()
    for (const { path, text } of sent.fields) {
      const hits = text === null ? [] : findSensitive(text, { ...sensitive, fields: [] })
      const names = path.split(/\.|\[\]/).filter((each) => sensitive.fields.includes(each))
      for (const label of names) hits.push({ kind: 'field', label, encoding: '' })
      for (const hit of hits) {
        labels.add(hit.label)
        addLeak(entry, persona, {
          hit,
          where: `in props of ${componentName(component, root)}`,
          component,
        })
      }
    }
    return labels
  }

  return {
    /** Reads a response. */
    read({ probe, response }: ObservedResponse): void {
      const { persona } = probe
      personas.add(persona)
      const entry = entryOf(probe)
      const { headers, body, payload } = readTexts(response)
      const rows = payload === null ? null : readFlightRows(Buffer.from(payload))
      const inProps = new Set<string>()
      const sizes = new Map<string, number>()
      for (const sent of rows === null ? [] : readSentProps(rows)) {
        for (const label of readProps(sent, { entry, persona, sizes })) inProps.add(label)
      }
      for (const text of [payload ?? '', body]) {
        for (const hit of findSensitive(text, sensitive)) {
          if (inProps.has(hit.label)) continue
          addLeak(entry, persona, { hit, where: 'in its content', component: null })
        }
      }
      for (const hit of findSensitive(headers, sensitive)) {
        addLeak(entry, persona, { hit, where: 'in a header', component: null })
      }
    },
    /**
     * Searches what the app has logged and written to its journal.
     * @returns everything that was found
     */
    finish({
      log,
      thrown,
    }: {
      readonly log: string
      readonly thrown: ServedBuild['thrown']
    }): Exposure {
      const findElement = createFindElement(root, facts)
      const placeOf = ({ entry, places }: Leak): Place | null => {
        for (const { component } of places) {
          const place = component && findElement(entry.files, component)
          if (place) return place
        }
        const [file] = entry.files
        return file === undefined ? null : { file, line: null }
      }
      const findings = [...leaks.values()].map((leak): Finding => {
        return { sentence: describeLeak(leak, personas), place: placeOf(leak) }
      })
      for (const [where, text] of [
        ["The app's log", log],
        ['The journal of errors', JSON.stringify(thrown)],
      ] as const) {
        for (const hit of findSensitive(text, sensitive, { inLog: true })) {
          findings.push({ sentence: `${where} contains ${describeHit(hit)}.`, place: null })
        }
      }
      const sent = [...components.values()].map(({ file, exportName, fields, senders }) => {
        const name = componentName({ file, exportName }, root)
        return {
          name,
          file,
          exportName,
          fields,
          place: findElement([...senders], { file, exportName }),
        }
      })
      return {
        components: sent,
        findings: findings.sort((a, b) => compareText(a.sentence, b.sentence)),
      }
    },
  }
}

/** Entries of the contract for the client components. */
export function componentEntries({ components }: Exposure): ContractEntry[] {
  return components.flatMap(({ name, fields }): ContractEntry[] => {
    // Children are content of the page, which the contract doesn't describe.
    const paths = mergePaths(fields.keys()).filter((path) => !/^children\b/.test(path))
    if (paths.length === 0) return []
    return [{ kind: 'component', name, properties: { fields: paths.join(', ') } }]
  })
}

type ReadComponent = {
  readonly file: string
  readonly exportName: string
  readonly fields: Map<string, { readonly entries: Set<string>; bytes: number }>
  /** Files of the entries that have sent the component. */
  readonly senders: Set<string>
}

type PropsSource = {
  readonly entry: RespondingEntry
  readonly persona: string
  /** Bytes of each field of each component in the response so far. */
  readonly sizes: Map<string, number>
}

function addFields(
  { file, exportName, fields }: ReadComponent,
  sent: readonly SentField[],
  { entry, sizes }: { readonly entry: string; readonly sizes: Map<string, number> },
): void {
  for (const { path, bytes } of sent) {
    const key = `${file} ${exportName} ${path}`
    const size = (sizes.get(key) ?? 0) + bytes
    sizes.set(key, size)
    const field = fields.get(path) ?? { entries: new Set(), bytes: 0 }
    field.entries.add(entry)
    field.bytes = Math.max(field.bytes, size)
    fields.set(path, field)
  }
}

type Leak = {
  readonly entry: RespondingEntry
  readonly hit: SensitiveHit
  readonly personas: Set<string>
  readonly places: LeakPlace[]
}

type LeakPlace = {
  readonly hit: SensitiveHit
  readonly where: string
  readonly component: { readonly file: string | null; readonly exportName: string } | null
}

function isOfApp(file: string): boolean {
  return !file.startsWith('../') && !file.includes('node_modules/')
}

/** Names a component by its export, or by the name of the function that is the default export. */
function componentName(
  { file, exportName }: { readonly file: string | null; readonly exportName: string },
  root: string,
): string {
  if (exportName !== 'default' || file === null) return exportName
  const text = readFileSync(join(root, file), 'utf8')
  const [, name] = /export\s+default\s+(?:async\s+)?(?:function|class)\s+([\w$]+)/.exec(text) ?? []
  const [, local] = /export\s+default\s+([\w$]+)\s*;?\s*$/m.exec(text) ?? []
  return name ?? local ?? posix.basename(file).replace(/\.\w+$/, '')
}

function describeLeak({ entry, hit, personas, places }: Leak, all: ReadonlySet<string>): string {
  const verb = entry.kind === 'action' ? 'returns' : 'sends'
  const subject = `The ${nameEntry(entry)} ${verb} ${describeHit(hit)}`
  const isAll = personas.size === all.size
  const to = isAll ? everyone : list([...personas].map((persona) => `*${persona}*`))
  return `${subject} to ${to}, ${list(places.map(({ where }) => where))}.`
}

function describeHit({ kind, label, encoding }: SensitiveHit): string {
  const encoded = encoding === '' ? '' : ` as ${encoding}`
  return kind === 'field' ? `\`${label}\`` : `the sensitive value "${label}"${encoded}`
}

function list(items: readonly string[]): string {
  if (items.length <= 1) return items.join('')
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
