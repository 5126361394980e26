import { describe, expect, test } from 'vitest'
import { createFindReaching, type ResolvedNames, type Side } from './actionReachability.ts'
import { readImportedNames } from './importedNames.ts'

/** Source code by module id. */
type Sources = Readonly<Record<string, string>>

const actions = 'export async function subscribe() {}\nexport async function deleteUser() {}'

/**
 * Finds the modules that reach a module's export `name`. The module's default is `actions`. Import
 * specifiers are module ids.
 */
async function reaching(
  name: string,
  modules: {
    readonly server?: Sources
    readonly client?: Sources
    readonly clientReferences?: readonly string[]
    readonly unread?: readonly string[]
    readonly of?: string
  },
): Promise<string[]> {
  const { server = {}, client = {}, clientReferences = [], unread = [], of = 'actions' } = modules
  const sources = { server: { actions, ...server }, client: { actions, ...client } }
  const names = new Map<string, ResolvedNames>()
  const imports = new Map<string, Set<string>>()
  for (const side of ['server', 'client'] as const) {
    for (const [id, code] of Object.entries<string>(sources[side])) {
      const read = await readImportedNames(code)
      if (!read) throw new Error(`${id} is not JavaScript`)
      const resolved = (specifier: string) => (specifier in sources[side] ? specifier : null)
      const specifiers = [...code.matchAll(/(?:from|import\(?) ?'(\w+)'/g)].map(
        ([, each]) => `${each}`,
      )
      imports.set(`${side} ${id}`, new Set(specifiers))
      if (!unread.includes(id)) names.set(`${side} ${id}`, { ...read, resolved })
    }
  }
  const importersOf = (side: Side, id: string) =>
    Object.keys(sources[side]).filter((each) => imports.get(`${side} ${each}`)?.has(id))
  const findReaching = createFindReaching({
    importersOf,
    isClientReference: (id) => clientReferences.includes(id),
    namesOf: (side, id) => names.get(`${side} ${id}`) ?? null,
  })
  const reached = findReaching({ id: of, name })
  return [...reached].filter((id) => id !== of).sort()
}

const page = (imports: string, used: string) =>
  `${imports}\nexport default function Page() { return ${used} }`

describe("a page that imports one of two actions doesn't reach the other one", () => {
  test.each<[string, Sources]>([
    ['by its name', { page: page("import { subscribe } from 'actions'", 'subscribe') }],
    ['by another name', { page: page("import { subscribe as a } from 'actions'", 'a') }],
    ['as a member', { page: page("import * as a from 'actions'", 'a.subscribe()') }],
    [
      'through export *',
      {
        barrel: "export * from 'actions'",
        page: page("import { subscribe } from 'barrel'", 'subscribe'),
      },
    ],
    [
      'through two of them that import each other',
      {
        inner: "export * from 'actions'\nexport * from 'outer'",
        outer: "export * from 'inner'",
        page: page("import { subscribe } from 'outer'", 'subscribe'),
      },
    ],
    [
      'through an export with another name',
      {
        barrel: "export { subscribe as join, deleteUser } from 'actions'",
        page: page("import { join } from 'barrel'", 'join'),
      },
    ],
    [
      'as the default of another module',
      {
        barrel: "export { subscribe as default, deleteUser } from 'actions'",
        page: page("import join from 'barrel'", 'join'),
      },
    ],
    [
      'through a re-exported import',
      {
        barrel:
          "import { subscribe, deleteUser as remove } from 'actions'\nexport { subscribe, remove }",
        page: page("import { subscribe } from 'barrel'", 'subscribe'),
      },
    ],
    [
      'through an import that becomes the default export',
      {
        barrel:
          "import { subscribe, deleteUser } from 'actions'\nexport { deleteUser }\nexport default subscribe",
        page: page("import join from 'barrel'", 'join'),
      },
    ],
    [
      'through a chain of names',
      {
        first: "export { subscribe as a, deleteUser as b } from 'actions'",
        second: "export { a as b, b as a } from 'first'",
        page: page("import { b } from 'second'", 'b'),
      },
    ],
    [
      'through one of two components in a module',
      {
        forms:
          "import { subscribe, deleteUser } from 'actions'\nexport function Join() { return subscribe }\nexport const Remove = () => deleteUser",
        barrel: "export * from 'forms'",
        page: page("import { Join } from 'barrel'", 'Join'),
      },
    ],
    [
      'through the parts of a component',
      {
        forms:
          "import { subscribe, deleteUser } from 'actions'\nconst all = { subscribe }\nfunction Inner() { return all }\nexport const Join = memo(Inner)\nJoin.displayName = 'Join'\nfunction Other() { return deleteUser }\nexport { Other as Remove }",
        page: page("import { Join } from 'forms'", 'Join'),
      },
    ],
    [
      'through a component that is wrapped for reloading',
      {
        forms:
          "import { subscribe, deleteUser } from 'actions'\nvar _s = $RefreshSig$()\nexport function Join() { _s(); return subscribe }\n_s(Join, 'hash')\n_c = Join\nexport function Remove() { return deleteUser }\n_c2 = Remove\nvar _c, _c2\n$RefreshReg$(_c, 'Join')\n$RefreshReg$(_c2, 'Remove')\nimport * as __vite_react_currentExports from 'forms'\nif (import.meta.hot) { const currentExports = __vite_react_currentExports; reload(currentExports) }",
        page: page("import { Join } from 'forms'", 'Join'),
      },
    ],
    [
      'if the barrel defines its own function instead of the other action',
      {
        barrel: "export * from 'actions'\nexport function deleteUser() {}",
        page: page("import { subscribe, deleteUser } from 'barrel'", '[subscribe, deleteUser]'),
      },
    ],
    [
      'if the other action is imported but not used',
      { page: page("import { subscribe, deleteUser } from 'actions'", 'subscribe') },
    ],
  ])('%s', async (_, server) => {
    expect(await reaching('subscribe', { server })).toContain('page')
    expect(await reaching('deleteUser', { server })).not.toContain('page')
  })
})

describe('a page reaches all actions of a module', () => {
  test.each<[string, Sources]>([
    ['with import()', { page: page('', "import('actions')") }],
    ['with import() in an effect', { page: "load(import('actions'))\nexport default 1" }],
    ['with a namespace that is passed on', { page: page("import * as a from 'actions'", 'f(a)') }],
    ['with a computed member', { page: page("import * as a from 'actions'", 'a[name]') }],
    [
      'with a namespace that is exported',
      {
        barrel: "export * as all from 'actions'",
        page: page("import { all } from 'barrel'", 'all.subscribe'),
      },
    ],
    [
      'with an imported namespace that is exported',
      {
        barrel: "import * as all from 'actions'\nexport { all }",
        page: page("import { all } from 'barrel'", 'all.subscribe'),
      },
    ],
    [
      'with a module that stores them somewhere when it runs',
      {
        list: "import { subscribe, deleteUser } from 'actions'\nregister(subscribe, deleteUser)",
        page: page("import 'list'", '1'),
      },
    ],
    [
      'with an export of a module that stores them somewhere when it runs',
      {
        list: "import { subscribe, deleteUser } from 'actions'\nconst own = add(subscribe)\nif (own) add(deleteUser)\nexport const first = 1",
        page: page("import { first } from 'list'", 'first'),
      },
    ],
    [
      'with a variable that a function assigns',
      {
        state:
          "import { subscribe, deleteUser } from 'actions'\nlet now\nexport function set(a) { now = a ? subscribe : deleteUser }\nexport function get() { return now }",
        page: page("import { get } from 'state'", 'get()'),
      },
    ],
    [
      'with an object that contains them',
      {
        list: "import { subscribe, deleteUser } from 'actions'\nexport const all = {}\nObject.assign(all, { subscribe })\nall.remove = deleteUser",
        page: page("import { all } from 'list'", 'all'),
      },
    ],
  ])('%s', async (_, server) => {
    expect(await reaching('subscribe', { server })).toContain('page')
    expect(await reaching('deleteUser', { server })).toContain('page')
  })

  test('through a module whose code was not read', async () => {
    const server = {
      package: "export { subscribe } from 'actions'",
      barrel: "export * from 'package'",
      page: page("import { subscribe } from 'barrel'", 'subscribe'),
      other: page("import { deleteUser } from 'barrel'", 'deleteUser'),
    }
    expect(await reaching('deleteUser', { server, unread: ['package'] })).toEqual([
      'barrel',
      'other',
      'package',
      'page',
    ])
  })
})

test('an action is reached through client components by their names', async () => {
  const client = {
    forms:
      "import { subscribe, deleteUser } from 'hooks'\nexport function Join() { return subscribe }\nexport function Remove() { return deleteUser }",
    hooks: "export * from 'actions'",
    // Modules that the server doesn't import.
    widget: "export { deleteUser } from 'hooks'",
  }
  const server = {
    forms: 'export const Join = reference()\nexport const Remove = reference()',
    barrel: "export * from 'forms'",
    page: page("import { Join } from 'barrel'", 'Join'),
    admin: page("import { Remove } from 'barrel'", 'Remove'),
  }
  const graphs = { client, server, clientReferences: ['forms'] }
  expect(await reaching('subscribe', graphs)).toEqual(['barrel', 'forms', 'page'])
  expect(await reaching('deleteUser', graphs)).toEqual(['admin', 'barrel', 'forms'])
})

test('a default export is reached by its name, but not through export *', async () => {
  const server = {
    actions: 'export default async function save() {}\nexport async function other() {}',
    star: "export * from 'actions'",
    page: page("import save from 'actions'", 'save'),
    starred: page("import save, { other } from 'star'", '[save, other]'),
  }
  expect(await reaching('default', { server })).toEqual(['page'])
  expect(await reaching('other', { server })).toEqual(['star', 'starred'])
})

test('an action that another action of its file returns is reached with it', async () => {
  const server = {
    actions:
      'async function first() { return second }\n$$ReactServer.registerServerReference(first, "key", "first")\nexport { first }\nasync function second() {}\n$$ReactServer.registerServerReference(second, "key", "second")\nexport { second }',
    page: page("import { first } from 'actions'", 'first'),
    other: page("import { second } from 'actions'", 'second'),
  }
  expect(await reaching('second', { server })).toEqual(['other', 'page'])
  expect(await reaching('first', { server })).toEqual(['page'])
})

test('re-exported actions are reached individually', async () => {
  const server = {
    admin: actions,
    actions:
      "export { deleteUser } from 'admin'\nasync function join() {}\n$$ReactServer.registerServerReference(join, 'key', 'join')\nexport { join }\nimport { deleteUser as $$effect_import_deleteUser } from 'admin'\n$$ReactServer.registerServerReference($$effect_import_deleteUser, 'key', 'deleteUser')",
    page: page("import { join } from 'actions'", 'join'),
    other: page("import { deleteUser } from 'actions'", 'deleteUser'),
  }
  expect(await reaching('deleteUser', { server })).toEqual(['other'])
  expect(await reaching('deleteUser', { server, of: 'admin' })).toEqual(['actions', 'other'])
})

test('an inline action is reached through the component around it', async () => {
  // Code in the form in which plugin-rsc writes it.
  const inline = (name: string, component: string) =>
    `export function ${component}() { const f = $$ReactServer.registerServerReference($$hoist_${name}, "key", "$$hoist_${name}").bind(null, encode([1])); return f }\n;export async function $$hoist_${name}() { return helper }\n/* #__PURE__ */ Object.defineProperty($$hoist_${name}, "name", { value: "f" });\n`
  const server = {
    forms: `import { helper } from 'actions'\n${inline('0', 'Join')}${inline('1', 'Remove')}`,
    page: page("import { Join } from 'forms'", 'Join'),
    admin: page("import { Remove } from 'forms'", 'Remove'),
    own: inline('0', 'Page'),
  }
  expect(await reaching('$$hoist_0', { server, of: 'forms' })).toEqual(['page'])
  expect(await reaching('$$hoist_1', { server, of: 'forms' })).toEqual(['admin'])
  expect(await reaching('$$hoist_0', { server, of: 'own' })).toEqual([])
})

test('lists of all modules, kept by plugin-rsc and the routes, are ignored', async () => {
  const lists = ['\0virtual:vite-rsc/server-references', '\0virtual:waymark/routes']
  const findReaching = createFindReaching({
    importersOf: () => lists,
    isClientReference: () => false,
    namesOf: () => null,
  })
  const reached = findReaching({ id: 'actions', name: 'save' })
  expect([...reached]).toEqual(['actions'])
})
