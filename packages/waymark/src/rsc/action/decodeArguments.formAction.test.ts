import { expect, test, vi } from 'vitest'
import { formActionOf } from './decodeArguments.ts'

// Mock React's runtime, because it needs a bundler and isn't under test.
vi.mock('@vitejs/plugin-rsc/rsc.node', () => ({}))
vi.mock('@vitejs/plugin-rsc/vendor/react-server-dom/server.node', () => ({}))

/** Returns the fields of a form in the order in which its multipart request contains them. */
async function fieldsOf(sent: readonly [string, string][]): Promise<FormData> {
  const body = new FormData()
  for (const [name, value] of sent) body.append(name, value)
  return new Request('https://site.test/', { method: 'POST', body }).formData()
}

const first = '{"id":"a#first","bound":null}'
const second = '{"id":"a#second","bound":null}'

test.each<[string | null, [string, string][]]>([
  ['a#plain', [['$ACTION_ID_a#plain', '']]],
  [
    'a#first',
    [
      ['$ACTION_REF_1', ''],
      ['$ACTION_1:0', first],
    ],
  ],
  // The action of the pressed button overrides the form's action.
  [
    'a#second',
    [
      ['$ACTION_ID_a#first', ''],
      ['$ACTION_ID_a#second', ''],
    ],
  ],
  [
    'a#second',
    [
      ['$ACTION_REF_1', ''],
      ['$ACTION_1:0', first],
      ['$ACTION_REF_2', ''],
      ['$ACTION_2:0', second],
    ],
  ],
  // The button has the same action as its form.
  [
    'a#first',
    [
      ['$ACTION_ID_a#first', ''],
      ['$ACTION_ID_a#first', ''],
    ],
  ],
  [null, []],
  [null, [['name', 'Ada']]],
  [null, [['$ACTION_REF_1', '']]],
  [
    null,
    [
      ['$ACTION_REF_1', ''],
      ['$ACTION_1:0', '['],
    ],
  ],
  [
    null,
    [
      ['$ACTION_REF_1', ''],
      ['$ACTION_1:0', 'null'],
    ],
  ],
  [
    null,
    [
      ['$ACTION_REF_1', ''],
      ['$ACTION_1:0', '{"id":1}'],
    ],
  ],
  // A repeated row is refused, because React might use one copy of the row and the guards the other copy.
  [
    null,
    [
      ['$ACTION_REF_1', ''],
      ['$ACTION_1:0', first],
      ['$ACTION_1:0', second],
    ],
  ],
  [
    null,
    [
      ['$ACTION_REF_1', ''],
      ['$ACTION_1:0', first],
      ['$ACTION_1:0', first],
    ],
  ],
  [
    null,
    [
      ['$ACTION_REF_1', ''],
      ['$ACTION_1:0', first],
      ['$ACTION_1:1', '[]'],
      ['$ACTION_1:1', '[1]'],
    ],
  ],
  [
    null,
    [
      ['$ACTION_REF_1', ''],
      ['$ACTION_1:0', first],
      ['$ACTION_REF_1', ''],
    ],
  ],
])('%s is the action of a form with %j', async (id, sent) => {
  expect(formActionOf(await fieldsOf(sent))?.id ?? null).toBe(id)
})
