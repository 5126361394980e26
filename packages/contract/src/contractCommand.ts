import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildWhenNeeded } from '@waymark/testing/build'
import { defineCommand, type Terminal } from 'waymark/plugin'
import { sharedOptions } from 'waymark/plugin/node'
import { keepAccessibility } from './accessibility/keepAccessibility.ts'
import { type AccessibilityDetail, formatDetail } from './accessibility/violations.ts'
import { hasDeletedModules } from './build/buildFacts.ts'
import { readChanges } from './compare/changedLines.ts'
import {
  type CheckReport,
  createReport,
  reportComment,
  reportLines,
} from './compare/checkReport.ts'
import { keepSteadySizes } from './compare/steadySizes.ts'
import { readContractConfig } from './config/contractConfig.ts'
import { type Contract, contractName, formatContract } from './contract/contractFile.ts'
import { ContractProblem } from './contract/contractProblem.ts'
import type { Place } from './contract/finding.ts'
import { createContract, type TriedApp } from './createContract.ts'
import { readContractFile } from './dev/readContractFile.ts'
import type { Exposure } from './exposure/exposure.ts'
import { type FieldReads, findUnread, unreadLines } from './exposure/unreadFields.ts'
import { observeFields } from './fields/observeFields.ts'

const { json } = sharedOptions

/** Writes or checks the file that says what the app lets whom do. */
export const contract = defineCommand({
  details: `Builds the app if its files have changed, serves the build, and tries all of it as each persona of
contract.config.ts. Without options, writes the result to ${contractName}.`,
  options: {
    check: { text: `Compare the app with ${contractName}, and fail if access widens.` },
    accept: { text: `Print the differences, and write ${contractName}.` },
    fields: {
      text: 'Also open all pages in a dev server, and list the fields that no component read.',
    },
    comment: { value: 'file', text: 'Also write the differences as Markdown, for a pull request.' },
    skip: {
      value: 'part',
      parse: (text) => (text === 'accessibility' ? text : null),
      valid: 'Write --skip accessibility.',
      text: "Leave out the slowest part, 'accessibility'. Its lines stay as they are.",
    },
    json,
  },
  mode: 'the mode of the build',
  async run({ options, terminal }) {
    if (options.check && options.accept) {
      terminal.fail('--check never writes, and --accept does.', 'Use one of them.')
      return 2
    }
    try {
      const outcome = await compareApp(resolve(options.folder ?? '.'), options)
      printOutcome(outcome, options, terminal)
      const isAccepted = !options.check && outcome.report.findings.length === 0
      return outcome.report.isOk || isAccepted ? 0 : 1
    } catch (error) {
      if (!(error instanceof ContractProblem)) throw error
      terminal.fail(error.message)
      return 2
    }
  },
})

type ContractOptions = {
  readonly check?: boolean
  readonly fields?: boolean
  readonly comment?: string
  readonly skip?: string
  readonly json?: boolean
}

type CheckedApp = Pick<TriedApp, 'accessibility' | 'requests'> & {
  readonly report: CheckReport
  /** `null` without `--fields`. */
  readonly fields: FieldReads | null
  /** True if there is an earlier contract. */
  readonly isCompared: boolean
  readonly seconds: number
}

/**
 * Builds an app if needed, tries it, and compares it with its contract. Writes the contract, unless
 * it only checks.
 * @throws ContractProblem
 */
async function compareApp(root: string, options: ContractOptions): Promise<CheckedApp> {
  const before = await readContract(root)
  if (options.check && before === null) {
    throw new ContractProblem(
      `There is no ${contractName} to compare with. Run waymark contract first.`,
    )
  }
  const startedAtMs = performance.now()
  const config = await readContractConfig(root)
  await buildWhenNeeded(root, hasDeletedModules(root)).catch((cause: Error) => {
    throw new ContractProblem(cause.message, { cause })
  })
  const isAccessibilityChecked = options.skip === undefined
  const tried = await createContract(root, config, { isAccessibilityChecked })
  const after = keepSteadyLines(before, tried.contract, isAccessibilityChecked)
  const code = {
    facts: tried.facts,
    changes: readChanges(root, contractName),
    components: placesOf(tried.exposure),
    proxied: new Set([...proxiedPatterns(before), ...proxiedPatterns(after)]),
    readLines: createReadLines(root),
  }
  const report = createReport(before, after, code, tried.findings)
  if (options.comment !== undefined) {
    writeFileSync(resolve(options.comment), reportComment(report))
  }
  if (!options.check) writeFileSync(join(root, contractName), formatContract(after))
  const fields = options.fields
    ? findUnread(
        tried.exposure.components,
        await observeFields({ root, facts: tried.facts, config }),
      )
    : null
  return {
    report,
    fields,
    isCompared: before !== null,
    accessibility: tried.accessibility,
    requests: tried.requests,
    seconds: (performance.now() - startedAtMs) / 1000,
  }
}

/** @throws ContractProblem if the file isn't a contract */
async function readContract(root: string): Promise<Contract | null> {
  const file = await readContractFile(root)
  if (file?.kind === 'unreadable') throw new ContractProblem(file.problem)
  return file?.contract ?? null
}

function keepSteadyLines(
  before: Contract | null,
  after: Contract,
  isAccessibilityChecked: boolean,
): Contract {
  if (before === null) return after
  return keepSteadySizes(before, isAccessibilityChecked ? after : keepAccessibility(before, after))
}

function placesOf({ components }: Exposure): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>()
  for (const { name, place } of components) if (place !== null) places.set(name, place)
  return places
}

function proxiedPatterns(contract: Contract | null): string[] {
  const entries = contract?.entries.filter(({ properties }) => properties.proxy === 'yes') ?? []
  return entries.map(({ name }) => name)
}

function createReadLines(root: string) {
  const files = new Map<string, readonly string[]>()
  return (file: string): readonly string[] => {
    const path = join(root, file)
    const lines =
      files.get(file) ?? (existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [])
    files.set(file, lines)
    return lines
  }
}

function printOutcome(
  { report, fields, accessibility, isCompared, requests, seconds }: CheckedApp,
  { check, json }: ContractOptions,
  terminal: Terminal,
): void {
  if (json) {
    terminal.printJson(fields === null ? report : { ...report, fields })
    return
  }
  const { print } = terminal
  printReport(report, terminal)
  printAccessibility(accessibility, terminal)
  const isSame = report.differences.length === 0 && report.findings.length === 0
  if (isCompared && isSame) print('No differences.')
  for (const line of fields === null ? [] : unreadLines(fields)) print(line)
  print(`Tried ${requests} requests in ${seconds.toFixed(1)} s.`)
  if (!check) print(`Wrote ${contractName}.`)
  else if (!report.isOk) print('To accept this, run waymark contract --accept.')
}

function printReport(report: CheckReport, { print, paint }: Terminal): void {
  for (const line of reportLines(report)) print(line.startsWith('    ') ? paint.dim(line) : line)
  const unproven = Object.entries(report.notProven)
  if (unproven.length > 0) {
    print('Not tried:')
    for (const [title, reason] of unproven) print(`  ${title}: ${paint.dim(reason)}`)
    print('')
  }
}

function printAccessibility(details: readonly AccessibilityDetail[], { print }: Terminal): void {
  if (details.length === 0) return
  print('Accessibility violations:')
  for (const detail of details) print(`  ${formatDetail(detail)}`)
  print('')
}
