import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type CommandInput, defineCommand } from 'waymark/plugin'
import { detailLines, sharedOptions } from 'waymark/plugin/node'
import { parseCookies } from '../writtenTest/replayCookies.ts'
import { completeReplay, replayJson } from './completeReplay.ts'
import { runReplay } from './runReplay.ts'
import { sessionFor } from './session.ts'

/** Sends the request of an error again, and reports whether it fails in the same way. */
export const replay = defineCommand({
  details: `Serves the build on this machine, sends the request as the journal has stored it (replay() in vite.config.ts),
and exits with 0 if it no longer fails, 1 if it fails, 2 if it could not be run.
A replay.ts beside the app folder can make the session.`,
  operands: '<digest> [folder]',
  options: {
    url: {
      value: 'url',
      parse: (text) => (/^https?:\/\/[^/]/.test(text) && URL.canParse(text) ? text : null),
      valid: 'Write --url https://staging.example.com',
      text: 'Send the request to this running server, in place of the build.',
    },
    cookie: {
      value: 'name=value',
      separator: ';',
      parse: parseCookies,
      valid: 'Write --cookie session=abc, once for each cookie.',
      text: 'A cookie of the request; may be given again.',
    },
    test: { text: 'Write a test of the error, run it, and say whether it is red.' },
    'run-action': { text: 'Also what may have effects: actions, and methods other than GET.' },
    json: sharedOptions.json,
  },
  mode: 'that of the build',
  async run({ options, terminal }) {
    const { url, cookie = {}, digest } = options
    const root = resolve(options.folder ?? '.')
    if (digest === undefined) {
      terminal.fail(
        'Name a digest.',
        'It looks like 6r3v-0m2k-x7q: waymark replay <digest> [folder]',
      )
      return 2
    }
    if (!existsSync(root)) {
      terminal.fail(`There is no folder ${root}.`)
      return 2
    }
    const openSession = sessionFor(root, cookie)
    const runAction = options['run-action']
    const result = await runReplay(digest, { root, url, runAction, openSession })
    await print(
      await completeReplay(root, result, { wantsTest: options.test, cookies: cookie }),
      root,
      { json: options.json === true, terminal },
    )
    return exitCodes[result.outcome]
  },
})

const exitCodes = { fixed: 0, same: 1, other: 1, refused: 2 } as const

type Completed = Awaited<ReturnType<typeof completeReplay>>

async function print(
  { result, detail, notes }: Completed,
  root: string,
  { json, terminal }: { readonly json: boolean; readonly terminal: CommandInput['terminal'] },
): Promise<void> {
  const { outcome, says } = result
  const { dim, green, red } = terminal.paint
  if (json) {
    terminal.printJson(replayJson({ result, detail, notes }))
    return
  }
  const lines = detail ? detailLines(detail, { root, paint: terminal.paint, age: '' }) : []
  for (const line of lines) terminal.print(line)
  if (lines.length > 0) terminal.print()
  for (const note of notes) terminal.print(dim(note))
  if (outcome === 'refused') terminal.fail(says)
  else terminal.print(outcome === 'fixed' ? green(says) : red(says))
}
