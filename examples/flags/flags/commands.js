import { defineCommand } from 'waymark/plugin'

export const flags = defineCommand({
  details: 'Prints the flags of a user, from the rules in vite.config.ts.',
  operands: '<user>',
  options: { json: { text: 'Print JSON.' } },
  mode: 'production',
  async run({ options, packageOptions, terminal }) {
    const [user, unexpected] = options.operands ?? []
    if (user === undefined || unexpected !== undefined) {
      terminal.fail('Name one user.', 'For example: waymark flags ada')
      return 2
    }
    const rules = Object.entries(packageOptions.rules)
    const flags = rules.map(([flag, users]) => [flag, users.includes(user)])
    if (options.json) terminal.printJson(Object.fromEntries(flags))
    else for (const [flag, isOn] of flags) terminal.print(`${flag}: ${isOn ? 'on' : 'off'}`)
    return 0
  },
})
