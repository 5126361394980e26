import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildWhenNeeded } from '@waymark/testing/build'
import { defineCommand } from 'waymark/plugin'
import { sharedOptions } from 'waymark/plugin/node'
import { readContractConfig } from './config/contractConfig.ts'
import { formatContract } from './contract/contractFile.ts'
import { createContract } from './createContract.ts'

/** File that holds the contract, in the app's root. */
export const contractName = 'contract.txt'

const { json } = sharedOptions

/** Writes or checks the file that says what the app lets whom do. */
export const contract = defineCommand({
  details: `Builds the app if its files have changed, serves the build, and tries all of it as each persona of
contract.config.ts. Writes the result to ${contractName}.`,
  options: {
    check: { text: `Compare the app with ${contractName}, and fail if access widens.` },
    accept: { text: `Print the differences, and write ${contractName}.` },
    json,
  },
  mode: 'the mode of the build',
  async run({ options, terminal }) {
    const root = resolve(options.folder ?? '.')
    const config = await readContractConfig(root)
    await buildWhenNeeded(root)
    const tried = await createContract(root, config)
    const file = join(root, contractName)
    const text = formatContract(tried.contract)
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
    terminal.print(`Wrote ${contractName} after ${tried.requests} requests.`)
    return 0
  },
})
