import { join, resolve } from 'node:path'
import { loadEnvFiles } from '../node/env.ts'
import { buildLayout } from '../shared/buildManifest.ts'
import { frameworkError } from '../shared/errors.ts'
import { assetsPrefix } from '../shared/protocol.ts'
import type { Command } from './arguments.ts'
import {
  type AssetTarget,
  bucketTarget,
  type Counts,
  folderTarget,
  pushAssets,
} from './pushAssets.ts'
import { readBuildsWithAssets } from './storeAssets.ts'

/** Copies a build's assets to a folder or bucket from which another host serves them. */
export const assets: Command = async ({ options, terminal }) => {
  const { destination, folder = '.', mode = 'production', json, 'dry-run': isDry = false } = options
  if (destination === undefined) {
    terminal.fail(
      'The place for the assets is missing.',
      'Write: waymark assets push /srv/assets, or waymark assets push s3://bucket',
    )
    return 2
  }
  const buildDir = join(resolve(folder), buildLayout.folder)
  loadEnvFiles(resolve(folder), mode, process.env)
  const target = openTarget(destination, process.env)
  const { pushed, present } = await pushAssets(target, {
    folder: join(buildDir, buildLayout.client, assetsPrefix),
    names: readNames(buildDir),
    isDry,
  })
  if (json) terminal.printJson({ dryRun: isDry, pushed, present })
  else {
    terminal.print(`${isDry ? 'To push' : 'Pushed'}: ${shown(pushed)}`)
    terminal.print(`There before: ${shown(present)}`)
  }
  return 0
}

function shown({ count, bytes }: Counts): string {
  return `${count} ${count === 1 ? 'file' : 'files'}, ${(bytes / 1000).toFixed(1)} kB`
}

/** @returns also names of earlier builds, whose pages may still be open */
function readNames(buildDir: string): string[] {
  const builds = readBuildsWithAssets(buildDir)
  if (!builds) throw frameworkError('NO_BUILD', { folder: buildDir })
  return [...new Set(builds.flatMap(({ files }) => files))]
}

/** @throws `ASSETS_BUCKET`, `ASSETS_CREDENTIALS` */
function openTarget(
  destination: string,
  env: Readonly<Record<string, string | undefined>>,
): AssetTarget {
  if (!/^\w+:\/\//.test(destination)) return folderTarget(destination)
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*?))?\/*$/.exec(destination)
  if (!match) throw frameworkError('ASSETS_BUCKET', { value: destination })
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (!accessKeyId || !secretAccessKey) throw frameworkError('ASSETS_CREDENTIALS', undefined)
  const region = env.AWS_REGION || 'us-east-1'
  const own = env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL
  const endpoint = own || `https://s3.${region}.amazonaws.com`
  if (!/^https?:/.test(endpoint) || !URL.canParse(endpoint)) {
    throw frameworkError('ASSETS_BUCKET', { value: endpoint })
  }
  const [, bucket = '', prefix = ''] = match
  const sessionToken = env.AWS_SESSION_TOKEN
  const credentials = { accessKeyId, secretAccessKey, sessionToken, region }
  return bucketTarget({ endpoint, bucket, prefix, credentials })
}
