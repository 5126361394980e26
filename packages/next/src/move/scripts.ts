import type { Finding } from './plan.ts'
import { lineCounter } from './readSource.ts'

/**
 * Commands of `next` that `waymark` has, too, and the new names of their options. An empty name
 * removes the option.
 */
const commands = ['dev', 'build', 'start']
const options: Readonly<Record<string, string>> = {
  '-p': '--port',
  '-H': '--host',
  '--hostname': '--host',
  '--turbo': '',
  '--turbopack': '',
  '--webpack': '',
  '--experimental-https': '',
}

/**
 * Matches options and commands of other programs after which `next` is the name of a package or
 * script: `turbo run build --filter next`, `npm run next`.
 */
const beforeNames = /(?:^|\s)(?:--filter|-F|--workspace|-w|--scope|--project|workspace|run)\s+$/

/**
 * Matches `next` as a program, but not as a part of a name such as `build:next`, `--filter=next` or
 * `.next`.
 */
const program = /(?<=^|[\s"'`&|;(]|\.bin\/)next( +[^&|;"'`)]*)?(?=$|[&|;"'`)\\])/g

/**
 * Rewrites a command line of a script.
 * @param before programs to run before a build and before the dev server
 */
export function moveScript(command: string, before: readonly string[]): string {
  const moved = command
    .replace(program, (whole, rest: string | undefined, at: number) => {
      if (beforeNames.test(command.slice(0, at))) return whole
      const [name = 'dev', ...args] = (rest ?? '').trim().split(/\s+/).filter(Boolean)
      if (!commands.includes(name)) return whole
      const movedArgs = args.map((each) => options[each] ?? each).filter(Boolean)
      return `${['waymark', name, ...movedArgs].join(' ')}${/\s$/.test(whole) ? ' ' : ''}`
    })
    .replace(standaloneServer, '.waymark/server.js')
    .replace(buildFolder, '.waymark')
  if (!/\bwaymark (?:build|dev)\b/.test(moved)) return moved
  return [...before.filter((each) => !moved.includes(each)), moved].join(' && ')
}

/** Matches the server of Next's standalone build, which a workspace has in the app's folder. */
const standaloneServer = /(?<![\w.-])\.next\/standalone\/(?:[\w./-]+\/)?server\.js\b/g

const buildFolder = /(?<![\w.-])\.next(?![\w.-])/g

/**
 * Rewrites the build folder in Turborepo's or Nx's configuration, so that these tools cache
 * Waymark's output.
 * @param mode `add` keeps the old entries, because other apps in the workspace may need them
 */
export function moveBuildOutputs(text: string, mode: 'add' | 'replace'): string {
  if (mode === 'add' && text.includes('.waymark')) return text
  return text.replace(/"[^"\n]*"/g, (entry) => {
    const moved = entry.replace(buildFolder, '.waymark')
    return mode === 'add' && moved !== entry ? `${entry}, ${moved}` : moved
  })
}

/** Rewrites the commands in an Nx `project.json`. */
export function moveProject(text: string): string {
  const moved = text
    .replace(/("command"\s*:\s*")([^"\n]*)(?=")/g, (_, start, command) => {
      return start + moveScript(command, [])
    })
    .replace(/"commands"\s*:\s*\[[^\]]*\]/g, (list) =>
      list.replace(/"([^"\n]*)"/g, (_, each) => `"${moveScript(each, [])}"`),
    )
  return moveBuildOutputs(moved, 'replace')
}

/** Returns findings about parts of a moved Nx configuration that run Next. */
export function findNextInNx(file: string, text: string): Finding[] {
  const lineAt = lineCounter(text)
  const find = (pattern: RegExp, describe: (name: string) => string) =>
    [...text.matchAll(pattern)].map(({ 1: name = '', index }): Finding => {
      return { kind: 'change', file, line: lineAt(index), text: describe(name) }
    })
  return [
    ...find(
      /"(@nx\/next:(?:build|server))"/g,
      (name) =>
        `${name} runs Next. Use the executor nx:run-commands with the command "waymark ${name.endsWith('build') ? 'build' : 'dev'}".`,
    ),
    ...find(
      /"(@nx\/next\/plugin)"/g,
      (name) =>
        `${name} creates targets that run Next for each folder with a next.config file. Set the commands of these targets in the app's project.json: "waymark build", "waymark dev" and "waymark start".`,
    ),
    ...find(
      /"command"\s*:\s*"(next (?:build|dev|start)[^"\n]*)"/g,
      (name) =>
        `it runs "${name}" in each project. Set "waymark ${name.split(' ')[1]}" as this target's command in the app's project.json.`,
    ),
  ]
}
