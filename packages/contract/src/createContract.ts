import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import type { TestRequest } from '@waymark/testing'
import { createTestApp, type ServedBuild, serveBuild } from '@waymark/testing/build'
import { type BuildManifest, buildLayout, internalPrefix } from 'waymark/plugin/node'
import { checkAccessibility } from './accessibility/checkAccessibility.ts'
import type { AccessibilityDetail } from './accessibility/violations.ts'
import { type BuildFacts, readFacts } from './build/buildFacts.ts'
import { findBudgetProblems } from './compare/budgets.ts'
import { anonymous, type ContractConfig } from './config/contractConfig.ts'
import type { Contract, ContractEntry } from './contract/contractFile.ts'
import { ContractProblem } from './contract/contractProblem.ts'
import type { Finding } from './contract/finding.ts'
import { formatKilobytes } from './contract/sizes.ts'
import { componentEntries, createExposure, type Exposure } from './exposure/exposure.ts'
import { probeActions } from './probe/probeActions.ts'
import { probeFiles, probeHandlers } from './probe/probeHandlers.ts'
import { type ProbedApp, probePages } from './probe/probePages.ts'
import { createFindSamples } from './probe/samples.ts'
import { createSender, type Personas } from './probe/sender.ts'

/** The contract of a built app, with what the comparison with an earlier contract needs. */
export type TriedApp = {
  readonly contract: Contract
  readonly facts: BuildFacts
  readonly exposure: Exposure
  readonly findings: readonly Finding[]
  readonly accessibility: readonly AccessibilityDetail[]
  /** Number of requests that were sent. */
  readonly requests: number
}

/**
 * Serves a build, and tries everything in it as all personas.
 * @throws ContractProblem if the build has no facts, or the app's process ends
 */
export async function createContract(
  root: string,
  config: ContractConfig,
  options: { readonly isAccessibilityChecked: boolean },
): Promise<TriedApp> {
  const facts = readFacts(root)
  if (facts === null) {
    throw new ContractProblem(
      "The build doesn't say what it contains. List contract() from @waymark/contract/vite in vite.config.ts.",
    )
  }
  const served = await serveBuild(root, { env: config.env })
  try {
    return await tryApp({ root, facts, served }, config, options)
  } catch (error) {
    if (error instanceof ContractProblem) error.message += `\n${served.log().slice(-2_000)}`
    throw error
  } finally {
    await served.stop()
  }
}

type ServedApp = {
  readonly root: string
  readonly facts: BuildFacts
  readonly served: ServedBuild
}

async function tryApp(
  { root, facts, served }: ServedApp,
  config: ContractConfig,
  { isAccessibilityChecked }: Parameters<typeof createContract>[2],
): Promise<TriedApp> {
  const { personas, failures } = await signIn(served, config)
  const exposure = createExposure({ root, facts, config })
  const unproven: Record<string, string> = {}
  let requests = 0
  const sender = createSender(
    { origin: served.origin, basePath: facts.basePath },
    personas,
    (observed) => {
      requests++
      exposure.read(observed)
      const { method = 'GET', path } = observed.probe
      if (observed.response.status === 0) unproven[`${method} ${path}`] = 'no response'
    },
  )
  let entries: ContractEntry[] = []
  const findings: Finding[] = []
  for (const [name, reason] of failures) unproven[`persona ${name}`] = `couldn't sign in: ${reason}`
  const findSamples = createFindSamples(config)
  const app: ProbedApp = {
    facts,
    sender,
    findSamples,
    absent: [...failures.keys()],
    proxied: served.proxied,
    add: (entry) => entries.push(entry),
    addFinding(finding) {
      if (finding !== null) findings.push(finding)
    },
    addUnproven(title, reason) {
      unproven[title] = reason
    },
    buildProperties: describeSizes(root, facts),
  }
  await probePages(app)
  const { origin } = served
  const accessibility = isAccessibilityChecked
    ? await checkAccessibility({ root, origin, facts, personas, findSamples, entries })
    : null
  if (accessibility) {
    entries = [...accessibility.entries]
    Object.assign(unproven, accessibility.unproven)
  }
  await probeHandlers(app, config)
  await probeFiles(app, { endpoints: served.endpoints, files: listPublicFiles(root) })
  await probeActions(app, config)
  await served.sync()
  const exposed = exposure.finish({ log: served.log(), thrown: served.thrown })
  entries.push(...componentEntries(exposed))
  if (Object.keys(unproven).length > 0) {
    entries.push({ kind: 'not proven', name: '', properties: unproven })
  }
  const contract = { personas: [anonymous, ...Object.keys(config.personas ?? {})], entries }
  return {
    contract,
    facts,
    exposure: exposed,
    findings: [...findings, ...exposed.findings, ...findBudgetProblems(contract, config, facts)],
    accessibility: accessibility?.details ?? [],
    requests,
  }
}

type SignedIn = {
  readonly personas: Personas
  /** Reasons why personas couldn't sign in, by name. */
  readonly failures: ReadonlyMap<string, string>
}

async function signIn(served: ServedBuild, config: ContractConfig): Promise<SignedIn> {
  const app = createTestApp(served)
  const personas = new Map<string, TestRequest>([[anonymous, {}]])
  const failures = new Map<string, string>()
  for (const [name, persona] of Object.entries(config.personas ?? {})) {
    try {
      personas.set(name, await persona(app))
    } catch (thrown) {
      failures.set(name, String(thrown))
    }
  }
  return { personas, failures }
}

/** Returns a function that describes how a page is rendered, and the sizes of its scripts. */
function describeSizes(root: string, { appDir }: BuildFacts): ProbedApp['buildProperties'] {
  const file = join(root, buildLayout.folder, buildLayout.facts)
  const { routes } = JSON.parse(readFileSync(file, 'utf8')) as BuildManifest
  return (routeFile) => {
    const route = routes.find(({ file }) => routeFile === posix.join(appDir, file))
    if (!route) return {}
    const { rendering, sizes } = route
    const script = sizes && {
      script: `${formatKilobytes(sizes.pageJs + sizes.sharedJs)}, ${formatKilobytes(sizes.idleJs)} when idle`,
    }
    return { rendering: rendering.kind, ...script }
  }
}

/** Lists the URLs of the files in `public/`. */
function listPublicFiles(root: string): string[] {
  const folder = join(root, buildLayout.folder, buildLayout.client)
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).split(sep).join('/'))
    .filter((path) => !path.startsWith(internalPrefix) && !/\.(?:br|gz|zst)$/.test(path))
    .map(encodeURI)
}
