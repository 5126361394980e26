import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type CommandInput, defineCommand } from 'waymark/plugin'
import { detailLines, sharedOptions } from 'waymark/plugin/node'
import { parseCookies } from '../writtenTest/replayCookies.ts'
import { completeReplay, replayJson } from './completeReplay.ts'
import { runReplay } from './runReplay.ts'
import { sessionFor } from './session.ts'

/** Sends an error's request again and reports if it fails in the same way. */
export const replay = defineCommand({
  details: `Serves the build on this machine and sends the request that replay() in vite.config.ts stored in the journal.
Exits with 0 if the request no longer fails, 1 if it fails, 2 if it could not be sent.
A replay.ts next to the app folder can sign a user in.`,
  operands: '<digest> [folder]',
  options: {
    url: {
      value: 'url',
      parse: (text) => (/^https?:\/\/[^/]/.test(text) && URL.canParse(text) ? text : null),
      valid: 'Write --url https://staging.example.com',
      text: 'Send the request to this running server instead of the build.',
    },
    cookie: {
      value: 'name=value',
      separator: ';',
      parse: parseCookies,
      valid: 'Write --cookie session=abc, once for each cookie.',
      text: 'Add a cookie to the request. Repeat the option for more cookies.',
    },
    test: { text: 'Write a test for the error, run it, and report whether it fails.' },
    'run-action': {
      text: 'Send requests that may change data: actions, and methods other than GET.',
    },
    json: sharedOptions.json,
  },
  mode: 'the mode of the build',
  async run({ options, terminal }) {
    const { url, cookie = {}, digest } = options
    const root = resolve(options.folder ?? '.')
    if (digest === undefined) {
      terminal.fail(
        'The digest is missing.',
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
