import { createRequire } from 'node:module'

// Runtimes that serve a build. Each has a package for each platform, which is an optional
// dependency, because the packages that choose the platform have install scripts.

const requireHere = createRequire(import.meta.url)

const isArm = process.arch === 'arm64'

export const findWorkerd = () =>
  findProgram(`@cloudflare/workerd-${process.platform}-${isArm ? 'arm64' : '64'}`, 'bin/workerd')

export const findBun = () =>
  findProgram(`@oven/bun-${process.platform}-${isArm ? 'aarch64' : 'x64'}`, 'bin/bun')

export const findDeno = () =>
  findProgram(
    `@deno/${process.platform}-${process.arch}${process.platform === 'linux' ? '-glibc' : ''}`,
    'deno',
  )

/** @throws if there is no program for this platform, or if it is not installed */
function findProgram(name: string, file: string): string {
  try {
    return requireHere.resolve(`${name}/${file}`)
  } catch (cause) {
    throw new Error(
      `${name} is not installed. Run npm install without --omit=optional. e2e/package.json lists the platforms.`,
      { cause },
    )
  }
}
