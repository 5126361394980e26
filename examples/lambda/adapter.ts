import { chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Adapter } from 'waymark/adapter'

const handlerFile = fileURLToPath(new URL('./handler.ts', import.meta.url))

/** Adapter that writes a folder to upload as the code of an AWS Lambda function. */
export function lambda(): Adapter {
  return {
    name: 'AWS Lambda',
    lacks: ['sockets'],
    async write(build) {
      const { root, buildDir, server, stores, externals, envNames, contents, bundle } = build
      const outDir = join(buildDir, 'lambda')
      await rm(outDir, { recursive: true, force: true })
      const held = contents()
      await bundle({
        root,
        code: `import * as server from ${JSON.stringify(server)}
import { createHandler } from ${JSON.stringify(handlerFile)}
${stores ? `import { stores } from ${JSON.stringify(stores)}` : 'const stores = {}'}
const contents = JSON.parse(${JSON.stringify(JSON.stringify(held))})
export const handler = await createHandler({ server, stores, contents, folder: import.meta.dirname })
`,
        outDir,
        output: { entryFileNames: 'index.js' },
      })
      await writeFile(join(outDir, 'package.json'), '{ "type": "module" }\n')
      const pages = [...Object.values(held.pages), ...(held.notFound ? [held.notFound] : [])]
      const responses = [...Object.values(held.files), ...pages]
      const compressed = responses.flatMap((each) => Object.values(each.compressed))
      for (const { file } of [...responses, ...compressed, ...Object.values(held.shells)]) {
        await mkdir(dirname(join(outDir, file)), { recursive: true })
        await cp(join(buildDir, file), join(outDir, file))
      }
      const isPrivate = await build.isPrivate()
      // Make the uploaded files readable for everybody, because Lambda runs the code as a different user.
      if (isPrivate) await chmod(outDir, 0o700)
      return {
        serve: {
          text: 'Upload .waymark/lambda. To try the function on this machine, run node local.mjs 3000.',
        },
        notes: [
          ...(isPrivate
            ? [
                'The code contains a secret. Set WAYMARK_SECRET for the build and on the function instead.',
              ]
            : ['The function needs the variable WAYMARK_SECRET.']),
          ...externals.map((name) => `The function needs the package ${name} in its node_modules.`),
          ...envNames.map((name) => `The function needs the variable ${name}.`),
        ],
      }
    },
  }
}
