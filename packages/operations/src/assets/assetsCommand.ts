import { join, resolve } from 'node:path'
import { assetsPrefix } from 'waymark/adapter'
import { defineCommand } from 'waymark/plugin'
import {
  buildLayout,
  importAppPackage,
  listAllAssets,
  loadEnvFiles,
  sharedOptions,
} from 'waymark/plugin/node'
import { type AssetTarget, type Counts, folderTarget, pushAssets } from './pushAssets.ts'

const { json, mode } = sharedOptions

/** Copies the assets of all builds to a folder or bucket from which another host serves them. */
export const assets = defineCommand({
  details: `Copies only missing files, and never deletes any. Write a bucket in an S3-compatible store as
s3://bucket/prefix, and set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and
AWS_ENDPOINT_URL_S3 in the environment.`,
  operands: 'push <target> [folder]',
  options: { 'dry-run': { text: 'Print what would be pushed, without pushing it.' }, json, mode },
  mode: 'production',
  async run({ options, terminal }) {
    const { operands = [], json, mode = 'production', 'dry-run': isDry = false } = options
    const mistake = findMistake(operands)
    if (mistake !== null) {
      terminal.fail(
        mistake,
        'Write: waymark assets push /srv/assets, or waymark assets push s3://bucket/prefix',
      )
      return 2
    }
    const [, destination = '', folder = '.'] = operands
    const root = resolve(folder)
    const buildDir = join(root, buildLayout.folder)
    loadEnvFiles(root, mode, process.env)
    const target = await openTarget(destination, root)
    const { pushed, present } = await pushAssets(target, {
      destination,
      folder: join(buildDir, buildLayout.client, assetsPrefix),
      names: listAllAssets(buildDir),
      isDry,
    })
    if (json) terminal.printJson({ dryRun: isDry, pushed, present })
    else {
      terminal.print(`${isDry ? 'To push' : 'Pushed'}: ${countsText(pushed)}`)
      terminal.print(`Already there: ${countsText(present)}`)
    }
    return 0
  },
})

function findMistake(operands: readonly string[]): string | null {
  const [task = 'push', destination = '', , unexpected] = operands
  if (task !== 'push') return `waymark assets has no task ${task}.`
  if (destination === '') return 'The folder or bucket for the assets is missing.'
  if (/^(?!s3:)\w+:\/\//.test(destination)) return `${destination} is not a folder or bucket.`
  return unexpected === undefined ? null : `Unexpected ${unexpected}.`
}

async function openTarget(destination: string, root: string): Promise<AssetTarget> {
  if (!destination.startsWith('s3://')) return folderTarget(destination)
  const loaded = await importAppPackage(root, '@waymark/s3/assets', 'waymark assets push s3://…')
  const { bucketTarget } = loaded as {
    bucketTarget: (url: string, env: NodeJS.ProcessEnv) => AssetTarget
  }
  return bucketTarget(destination, process.env)
}

function countsText({ count, bytes }: Counts): string {
  return `${count} ${count === 1 ? 'file' : 'files'}, ${(bytes / 1000).toFixed(1)} kB`
}
