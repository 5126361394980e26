import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildWhenNeeded } from '@waymark/testing/build'
import { type CommandInput, defineCommand } from 'waymark/plugin'
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
import {
  type Contract,
  contractName,
  formatContract,
  parseContract,
} from './contract/contractFile.ts'
import type { Place } from './contract/finding.ts'
import { createContract } from './createContract.ts'
import type { Exposure } from './exposure/exposure.ts'
import { findUnread, unreadLines } from './exposure/unreadFields.ts'
import { observeFields } from './fields/observeFields.ts'
import { AppEnded } from './probe/sender.ts'

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
      text: "Leave out the slowest part, 'accessibility'. Its lines stay as they are.",
    },
    json,
  },
  mode: 'the mode of the build',
  async run({ options, terminal }) {
    const root = resolve(options.folder ?? '.')
    const file = join(root, contractName)
    const before = readContract(file)
    if (options.check && before === null) {
      terminal.fail(`There is no ${contractName} to compare with.`, 'Run waymark contract first.')
      return 2
    }
    if (options.skip !== undefined && options.skip !== 'accessibility') {
      terminal.fail(`There is no part "${options.skip}" to skip.`, 'Write --skip accessibility.')
      return 2
    }
    const isAccessibilityChecked = options.skip === undefined
    const startedAtMs = performance.now()
    const config = await readContractConfig(root)
    try {
      await buildWhenNeeded(root, hasDeletedModules(root))
    } catch (error) {
      terminal.fail((error as Error).message)
      return 2
    }
    const tried = await createContract(root, config, { isAccessibilityChecked }).catch(
      (error: unknown) => {
        if (error instanceof AppEnded) return error
        throw error
      },
    )
    if (tried instanceof AppEnded) {
      terminal.fail(tried.message)
      return 2
    }
    const complete =
      before === null || isAccessibilityChecked
        ? tried.contract
        : keepAccessibility(before, tried.contract)
    const after = before === null ? complete : keepSteadySizes(before, complete)
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
    if (!options.check) writeFileSync(file, formatContract(after))
    const fields = options.fields
      ? findUnread(
          tried.exposure.components,
          await observeFields({ root, facts: tried.facts, config }),
        )
      : null
    if (options.json) terminal.printJson(fields === null ? report : { ...report, fields })
    else {
      const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1)
      printReport(report, terminal)
      printAccessibility(tried.accessibility, terminal)
      const isSame = report.differences.length === 0 && report.findings.length === 0
      if (before !== null && isSame) terminal.print('No differences.')
      for (const line of fields === null ? [] : unreadLines(fields)) terminal.print(line)
      terminal.print(`Tried ${tried.requests} requests in ${seconds} s.`)
      if (!options.check) terminal.print(`Wrote ${contractName}.`)
      else if (!report.isOk) terminal.print('To accept this, run waymark contract --accept.')
    }
    const isAccepted = !options.check && report.findings.length === 0
    return report.isOk || isAccepted ? 0 : 1
  },
})

/** @throws Error if the file isn't a contract */
function readContract(file: string): Contract | null {
  if (!existsSync(file)) return null
  try {
    return parseContract(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new Error(`${file} can't be read. ${(cause as Error).message}`, { cause })
  }
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

function printAccessibility(
  details: readonly AccessibilityDetail[],
  { print }: CommandInput['terminal'],
): void {
  if (details.length === 0) return
  print('Accessibility violations:')
  for (const detail of details) print(`  ${formatDetail(detail)}`)
  print('')
}

function printReport(report: CheckReport, { print, paint }: CommandInput['terminal']): void {
  for (const line of reportLines(report)) print(line.startsWith('    ') ? paint.dim(line) : line)
  const unproven = Object.entries(report.notProven)
  if (unproven.length > 0) {
    print('Not tried:')
    for (const [title, reason] of unproven) print(`  ${title}: ${paint.dim(reason)}`)
    print('')
  }
}
