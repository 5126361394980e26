import type { BuildFacts, RouteFacts } from '../build/buildFacts.ts'
import type { ContractConfig } from '../config/contractConfig.ts'
import type { Contract, ContractEntry } from '../contract/contractFile.ts'
import type { Finding } from '../contract/finding.ts'
import { formatKilobytes, parseKilobytes } from '../contract/sizes.ts'

/** Finds pages whose scripts are larger than their budget in `contract.config.ts`. */
export function findBudgetProblems(
  { entries }: Contract,
  { budget = {} }: Pick<ContractConfig, 'budget'>,
  facts: Pick<BuildFacts, 'routes' | 'imports' | 'clientModules'>,
): Finding[] {
  const sizes = new Map(entries.flatMap(sizeOf))
  const isWithin = ({ pattern }: RouteFacts) => {
    const bytes = sizes.get(pattern)
    return bytes !== undefined && bytes <= budgetOf(pattern, budget)
  }
  const pages = facts.routes.filter(({ kind }) => kind === 'page')
  const within = pages.filter(isWithin)
  const usual = new Set(within.flatMap((page) => clientModulesOf(page, facts)))
  const problems = pages.flatMap((page): Finding[] => {
    const bytes = sizes.get(page.pattern)
    const maxBytes = budgetOf(page.pattern, budget)
    if (bytes === undefined || bytes <= maxBytes) return []
    const need = `${page.pattern} needs ${formatKilobytes(bytes)} of script before it is interactive`
    const excess = `${formatKilobytes(bytes - maxBytes)} more than its budget`
    const extra = clientModulesOf(page, facts).filter((module) => !usual.has(module))
    const isTelling = extra.length > 0 && within.length > 0
    const note = isTelling ? ` No page within its budget loads ${listOf(extra)}.` : ''
    return [{ sentence: `${need}, ${excess}.${note}`, place: { file: page.file, line: null } }]
  })
  const patterns = new Set(['*', ...pages.map(({ pattern }) => pattern)])
  const unknown = Object.keys(budget).filter((pattern) => !patterns.has(pattern))
  return [
    ...problems,
    ...unknown.map((pattern): Finding => {
      const sentence = `contract.config.ts has a budget for ${pattern}, but the app has no such page.`
      return { sentence, place: null }
    }),
  ]
}

function budgetOf(pattern: string, budget: Readonly<Record<string, number>>): number {
  return budget[pattern] ?? budget['*'] ?? Number.POSITIVE_INFINITY
}

function sizeOf({ kind, name, properties }: ContractEntry): [string, number][] {
  const bytes = kind === 'page' ? parseKilobytes(properties.script ?? '') : null
  return bytes === null ? [] : [[name, bytes]]
}

/** Lists the modules with `'use client'` that a page and its layouts lead to. */
function clientModulesOf(
  { file, layouts }: RouteFacts,
  { imports, clientModules }: Pick<BuildFacts, 'imports' | 'clientModules'>,
): string[] {
  const reached = new Set([file, ...layouts.map((layout) => layout.file)])
  // The loop also visits the files that it adds to the set.
  for (const each of reached) for (const next of imports[each] ?? []) reached.add(next)
  return Object.values(clientModules)
    .filter((module) => reached.has(module))
    .sort()
}

const maxListed = 5

function listOf(files: readonly string[]): string {
  const listed = files.slice(0, maxListed).join(', ')
  return files.length > maxListed ? `${listed} and ${files.length - maxListed} others` : listed
}
