import { chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Adapter, AppBuild, BuildContents } from 'waymark/adapter'

export type LambdaOptions = {
  /**
   * Streams responses, which needs a function URL with the invoke mode `RESPONSE_STREAM`. Set it to
   * false for an HTTP API of API Gateway, and for a function URL with the invoke mode `BUFFERED`.
   * Default: true.
   */
  readonly streaming?: boolean
  /**
   * Origin at which browsers reach the app, if a CDN in front of the function doesn't pass on the
   * `host` header: `https://www.example.com`. Default: the domain in each event.
   */
  readonly origin?: string
}

/** Returns the adapter that writes a folder to upload as the code of an AWS Lambda function. */
export function lambda({ streaming = true, origin }: LambdaOptions = {}): Adapter {
  if (origin !== undefined && !isOrigin(origin)) {
    throw new Error(
      `The option origin of lambda() is ${JSON.stringify(origin)}, which isn't an origin. Write the scheme and the host, such as https://www.example.com.`,
    )
  }
  return {
    name: 'AWS Lambda',
    lacks: ['sockets', 'images', 'sharedState', ...(streaming ? [] : (['streams'] as const))],
    async write(build) {
      const outDir = path.join(build.buildDir, 'lambda')
      await rm(outDir, { recursive: true, force: true })
      const contents = build.contents()
      await build.bundle({
        root: path.dirname(handlerFile),
        code: functionCode(build, { contents, streaming, origin }),
        outDir,
        output: { entryFileNames: 'index.js' },
      })
      await writeFile(path.join(outDir, 'package.json'), '{ "type": "module" }\n')
      for (const file of filesToRead(contents)) {
        const target = path.join(outDir, file)
        await mkdir(path.dirname(target), { recursive: true })
        await cp(path.join(build.buildDir, file), target)
      }
      const isPrivate = await build.isPrivate()
      // Close only the folder, because Lambda runs the uploaded files as a different user.
      if (isPrivate) await chmod(outDir, 0o700)
      const folder = `${path.basename(build.buildDir)}/lambda`
      return {
        serve: { text: `Upload the contents of ${folder}, with the handler index.handler.` },
        notes: [
          isPrivate
            ? 'The code contains a secret. Set WAYMARK_SECRET for the build and on the function instead.'
            : 'The function needs the variable WAYMARK_SECRET.',
          ...build.externals.map(
            (name) => `The function needs the package ${name} in its node_modules.`,
          ),
          ...build.envNames.map((name) => `The function needs the variable ${name}.`),
        ],
      }
    },
  }
}

const handlerFile = fileURLToPath(new URL('./handler.js', import.meta.url))

type FunctionSettings = Required<Pick<LambdaOptions, 'streaming'>> & {
  readonly contents: BuildContents
  readonly origin: string | undefined
}

/** Returns the code of the function's entry, which contains the built server. */
function functionCode(
  { server, stores }: AppBuild,
  { contents, streaming, origin }: FunctionSettings,
): string {
  const create = streaming ? 'createStreamingHandler' : 'createBufferedHandler'
  return `import * as server from ${JSON.stringify(server)}
import { ${create} } from ${JSON.stringify(handlerFile)}
${stores ? `import { stores } from ${JSON.stringify(stores)}` : 'const stores = {}'}
const contents = JSON.parse(${JSON.stringify(JSON.stringify(contents))})
const origin = ${JSON.stringify(origin)}
export const handler = await ${create}({ server, stores, contents, folder: import.meta.dirname, origin })
`
}

/** Lists the files that the function reads, relative to the build's folder. */
function filesToRead({ files, pages, notFound, shells }: BuildContents): string[] {
  const responses = [
    ...Object.values(files),
    ...Object.values(pages),
    ...(notFound ? [notFound] : []),
  ]
  const compressed = responses.flatMap((each) => Object.values(each.compressed))
  return [...responses, ...compressed, ...Object.values(shells)].map(({ file }) => file)
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text
}
