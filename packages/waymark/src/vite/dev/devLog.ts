import { SourceMap, type SourceMapPayload } from 'node:module'
import type {
  DevEnvironment,
  EnvironmentModuleGraph,
  EnvironmentModuleNode,
  ErrorPayload,
  FSWatcher,
  HotPayload,
  Logger,
  RunnableDevEnvironment,
} from 'vite'
import { filePathOf } from '../../journal/filePaths.ts'
import type { JournalDriver } from '../../journal/journalDriver.ts'
import type { JournalEntry } from '../../journal/journalEntry.ts'
import { entryHead } from '../../journal/reportError.ts'
import { parseFrame } from '../../journal/thrownText.ts'
import type { FinishedRequest } from '../../node/observeRequests.ts'
import { withoutValues } from '../../wire/trace.ts'
import { type DevFailure, type DevFailures, describeFailure, failureText } from './failures.ts'

export type FailureLog = ReturnType<typeof createFailureLog>

// Milliseconds within which equal failures count as one. Browsers request a failed page again, and
// Vite reports both a file and its import.
const sameWithinMs = 3_000

/** Writes failures of the dev server to the terminal, each only once until a file changes. */
export function createFailureLog(root: () => string) {
  const printedAtMs = new Map<string, number>()
  let print: Logger['error'] = () => {}
  const report = (thrown: unknown): ErrorPayload['err'] => describeFailure(thrown, root())

  function isNew(key: string): boolean {
    const nowMs = performance.now()
    const isOld = nowMs - (printedAtMs.get(key) ?? -Infinity) < sameWithinMs
    printedAtMs.set(key, nowMs)
    return !isOld
  }

  function printOnce(failure: ErrorPayload['err'], head?: string): void {
    const isRepeated = !isNew(failure.message)
    const text = failureText(failure)
    if (!isRepeated) print(head ? `${head}\n${text}` : text)
    // The first word is a digest, which is new each time, so compare messages without it.
    if (head && isNew(head.slice(head.indexOf(' '))) && isRepeated) print(`${head} again`)
  }

  const logThrown = (thrown: unknown) => printOnce(report(thrown))

  const log = {
    report,
    printOnce,
    logThrown,
    print: (text: string) => print(text),
    /**
     * Forgets what was printed, because a file has changed and failures should be printed again.
     */
    forget: () => printedAtMs.clear(),
    /** Wraps the logger for Vite's `customLogger`. */
    wrap(logger: Logger): Logger {
      print = logger.error.bind(logger)
      return {
        ...logger,
        error(message, options) {
          if (options?.error) logThrown(options.error)
          else print(message, options)
        },
      }
    },
    explainErrors: (graph: EnvironmentModuleGraph, send: (payload: HotPayload) => void) =>
      explainErrors(graph, log, send),
  }
  return log
}

/**
 * Formats a request, such as `GET /items?page=… 200 in 34 ms (render 21, html 8)`. Returns `null`
 * if no route was matched.
 */
export function requestLine(
  target: string,
  { method, status, durationMs, phases }: FinishedRequest,
): string | null {
  if (!('match' in phases)) return null
  const steps = Object.entries(phases)
    .filter(([, ms]) => ms >= 0.5)
    .map(([step, ms]) => `${step} ${Math.round(ms)}`)
  const durations = steps.length > 0 ? ` (${steps.join(', ')})` : ''
  // Remove control characters, which a client could send to the terminal, and query values, which
  // may be secrets.
  const printable = withoutValues(target.slice(0, 200).replaceAll(/[^!-~]/g, '.'))
  return `${method} ${printable} ${status} in ${Math.round(durationMs)} ms${durations}`
}

export function createEntryLog(
  log: FailureLog,
  failures: DevFailures,
  mapped: MappedEnvironments,
): (text: string, entry: JournalEntry) => void {
  return (text, entry) => {
    const write = (failure: DevFailure) => log.printOnce(failure, entryHead(entry))
    // The thrown value, which has a position, is only added later in this turn, so wait until its
    // end.
    queueMicrotask(() => {
      const failure = failures.remembered(entry.digest)
      if (failure) return write(failure)
      const described = mapEntry(entry, mapped).then(failures.describe)
      described.then(write).catch(() => log.print(text))
    })
  }
}

type ErrorMessage = Extract<HotPayload, { type: 'error' }>

// Milliseconds that Vite may take to notify browsers of a change.
const silentForMs = 300

/** Explains the errors that Vite sends to browsers in the same words as in the log. */
function explainErrors(
  moduleGraph: EnvironmentModuleGraph,
  log: Pick<FailureLog, 'logThrown' | 'report' | 'forget'>,
  send: (payload: HotPayload) => void,
) {
  let sent = 0
  let isDisplayed = false
  // Error caused by the current change.
  let ofChange: ErrorMessage | null = null

  function sendExplained(payload: HotPayload): void {
    // Styles that depend on every file, such as Tailwind's, change with each edit, and browsers
    // then close the overlay. So send the error again.
    if (ofChange && payload.type === 'update') {
      send(payload)
      send(ofChange)
      return
    }
    sent++
    isDisplayed = payload.type === 'error'
    if (payload.type !== 'error') return void send(payload)
    const thrown = Object.assign(new Error(payload.err.message), payload.err)
    log.logThrown(thrown)
    for (const module of moduleGraph.getModulesByFile(payload.err.id ?? '') ?? []) {
      // Vite forgets that a module accepts updates when the module fails, so restore this.
      module.isSelfAccepting ||= module.lastHMRTimestamp > 0
    }
    ofChange = { ...payload, err: log.report(thrown) }
    send(ofChange)
  }

  return {
    send(...args: [payload: HotPayload] | [event: string, data?: unknown]): void {
      const [first, data] = args
      // Other events aren't about failures.
      if (typeof first === 'string') send({ type: 'custom', event: first, data })
      else sendExplained(first)
    },
    watch(watcher: FSWatcher): void {
      // Vite may have forgotten which modules accept updates of the failed one. It then wouldn't
      // tell the browser about the fix.
      watcher.on('change', () => {
        const before = sent
        const reload = () => sent === before && sendExplained({ type: 'full-reload' })
        if (isDisplayed) setTimeout(reload, silentForMs).unref()
      })
      watcher.on('all', () => {
        ofChange = null
        log.forget()
      })
    },
  }
}

export type MappedEnvironments = {
  /** Contains the browser's modules. */
  readonly client: DevEnvironment
  /** Contains the modules of server components. */
  readonly rsc: RunnableDevEnvironment
}

/**
 * Creates a journal that maps browsers' stacks to source files before storing them. It can't be
 * done later, because the compiled code is only in the dev server's memory.
 */
export function createMappedJournal(
  journal: JournalDriver,
  environments: MappedEnvironments,
): JournalDriver {
  // Resolves when all entries that were added so far are written.
  let written = Promise.resolve()

  return {
    write(record) {
      if (record.kind !== 'error' || record.browser === null) return journal.write(record)
      written = written.then(async () => journal.write(await mapEntry(record, environments)))
    },
    list: (filter) => written.then(() => journal.list(filter)),
    groups: (filter) => written.then(() => journal.groups(filter)),
    find: (digest) => written.then(() => journal.find(digest)),
    counts: (filter) => journal.counts(filter),
    flush: () => written.then(() => journal.flush()),
    close: () => written.then(() => journal.close()),
  }
}

export async function mapEntry(
  entry: JournalEntry,
  { client, rsc }: MappedEnvironments,
): Promise<JournalEntry> {
  const { browser } = entry
  if (browser === null) return entry
  const mapStack = async (stack: string | null) => {
    const lines = stack?.split('\n').map(async (line) => {
      return line.includes('about://React/') ? mapServerStack(line, rsc) : mapLine(line, client)
    })
    return lines ? (await Promise.all(lines)).join('\n') : stack
  }
  try {
    const stack = await mapStack(entry.stack)
    const componentStack = await mapStack(browser.componentStack)
    return { ...entry, stack, browser: { ...browser, componentStack } }
  } catch {
    // Without a source map, store the entry as it is.
    return entry
  }
}

/**
 * Maps the positions of elements in server components. Vite's module runner maps all other frames.
 */
export function mapServerStack(
  stack: string,
  { moduleGraph, runner }: RunnableDevEnvironment,
): string {
  const { startOffset = 0 } = runner.evaluator
  const mapFrame = (text: string) => {
    const { functionName, file: name, line, column } = parseFrame(text)
    if (name === null) return text
    const module = moduleGraph.getModuleById(filePathOf(name.replace(/\?.*$/, '')))
    const place = module && originalPlace(module, { line: line - startOffset, column })
    if (!place) return text
    const mapped = `${module.file}:${place}`
    return functionName === null ? `at ${mapped}` : `at ${functionName} (${mapped})`
  }
  return stack.replace(
    /^([^\S\n]*)(\S.*)$/gm,
    (_, indent: string, text: string) => indent + mapFrame(text),
  )
}

async function mapLine(text: string, { moduleGraph }: DevEnvironment): Promise<string> {
  const { file, line, column, functionName } = parseFrame(text)
  if (file === null || !/^https?:\/\//.test(file)) return text
  const { pathname } = new URL(file)
  // Don't read packages: their source maps are large, and the error isn't in the author's code.
  if (pathname.includes('/node_modules/')) return text
  const module = await moduleGraph.getModuleByUrl(decodeURIComponent(pathname))
  const place = module && originalPlace(module, { line, column })
  if (!place) return text
  const mapped = `${module.file}:${place}`
  return functionName === null ? `at ${mapped}` : `at ${functionName} (${mapped})`
}

/** @returns line and column in the author's file, separated by a colon */
function originalPlace(
  { file, transformResult }: EnvironmentModuleNode,
  { line, column }: { readonly line: number; readonly column: number },
): string | null {
  const map = transformResult?.map
  if (!file || !map || !('mappings' in map) || !map.mappings) return null
  // Both types represent version 3 of the source map format, so cast.
  const mapping = new SourceMap(map as unknown as SourceMapPayload).findEntry(line - 1, column - 1)
  if (!('originalLine' in mapping) || mapping.generatedLine !== line - 1) return null
  return `${mapping.originalLine + 1}:${mapping.originalColumn + 1}`
}
