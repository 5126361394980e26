import { parse } from 'yaml'

/**
 * @typedef {{ uses?: string, run?: string, with?: Record<string, unknown> }} Step
 * @typedef {{ steps?: Step[], 'timeout-minutes'?: number }} Job
 * @typedef {{ permissions?: unknown, concurrency?: unknown, on?: unknown, jobs?: Record<string,
 * Job> }} Workflow
 * @typedef {{ scripts: readonly string[], stages: readonly string[] }} Commands scripts in
 * `package.json`, and stages of `npm test`
 */

/**
 * Checks a workflow against our own rules, which actionlint doesn't have.
 * @param {string} text text of the workflow
 * @param {string} path path relative to the root of the repository
 * @param {Commands} commands
 * @returns {string[]} one line for each finding
 */
export function workflowViolations(text, path, commands) {
  /** @type {Workflow} */
  const workflow = parse(text)
  const jobs = Object.entries(workflow.jobs ?? {})
  const steps = jobs.flatMap(([, job]) => job.steps ?? [])
  const problems = [
    ...headViolations(workflow),
    ...jobs
      .filter(([, job]) => job['timeout-minutes'] === undefined)
      .map(([name]) => `the job ${name} has no timeout-minutes`),
    ...pinViolations(text),
    ...steps.flatMap(checkoutViolations),
    ...steps.flatMap((step) => commandViolations(step.run ?? '', commands)),
  ]
  return problems.map((violation) => `${path}: ${violation}`)
}

/** @param {Workflow} workflow */
function headViolations({ permissions, concurrency, on }) {
  const readsOnly = ['{}', '{"contents":"read"}'].includes(JSON.stringify(permissions))
  return [
    ...(readsOnly
      ? []
      : ['the workflow may do more than read contents. Grant the permission to a single job.']),
    ...(concurrency === undefined ? ['the workflow has no concurrency group'] : []),
    // Refuse this event, because it has access to secrets but may run code from a pull request.
    ...(JSON.stringify(on ?? null).includes('pull_request_target')
      ? ['pull_request_target gives secrets to the code of strangers']
      : []),
  ]
}

/**
 * Finds actions that are not pinned to a commit. A tag can be moved to different code, but a commit
 * can't.
 * @param {string} text
 */
function pinViolations(text) {
  return text.split('\n').flatMap((line) => {
    const [, used] = /^\s*(?:- )?uses:\s*(.+)$/.exec(line) ?? []
    if (used === undefined || used.startsWith('./')) return []
    return /^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(used.trim())
      ? []
      : [`${used.trim()} is not pinned as owner/name@commit # v1.2.3`]
  })
}

/** @param {Step} step */
function checkoutViolations({ uses = '', with: inputs }) {
  if (!uses.startsWith('actions/checkout@') || inputs?.['persist-credentials'] === false) return []
  return ['actions/checkout leaves its token in .git/config. Set persist-credentials: false.']
}

/**
 * @param {string} script script of a step
 * @param {Commands} commands
 */
function commandViolations(script, { scripts, stages }) {
  const named = [...script.matchAll(/\bnpm run ([\w-]+)/g)].map(([, name = '']) => name)
  const tested = [...script.matchAll(/\bnpm test --((?: [\w-]+)+)/g)].flatMap(([, names = '']) =>
    names.trim().split(' '),
  )
  return [
    ...named
      .filter((name) => !scripts.includes(name))
      .map((name) => `package.json has no script ${name}`),
    ...tested
      .filter((name) => !stages.includes(name))
      .map((name) => `npm test has no stage ${name}`),
  ]
}
