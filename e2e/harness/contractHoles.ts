/** A change of the app in `e2e/fixtures/contractHoles` that lets somebody do more. */
export type Hole = {
  readonly name: string
  /** New text of each file, a replacement in its text, or `null` to delete it. */
  readonly files: Readonly<Record<string, string | readonly [before: string, after: string] | null>>
  /** The sentences that the check must print, and no others. */
  readonly found: readonly NamedHole[]
}

export type NamedHole = {
  readonly sentence: string
  /** Place of the cause, and what it does: `app/help/page.tsx:4 imports actions/users.ts`. */
  readonly at: string
}

/** The shapes of holes that teams have reported in public. They don't depend on each other. */
export const holes: readonly Hole[] = [
  {
    name: 'a new page without the guard of its siblings',
    files: {
      'app/staff/salaries/page.tsx': `import { Table } from '../../_ui/table.tsx'

export default function Salaries() {
  return <Table />
}
`,
      'app/_ui/table.tsx': `export function Table() {
  return <table />
}
`,
    },
    found: [
      {
        sentence:
          'The page /staff/salaries is new. It is open to *everyone*: 200. Both others below /staff refuse *anonymous*, such as /staff/payroll (403).',
        at: 'app/staff/salaries/page.tsx:3',
      },
    ],
  },
  {
    name: 'an action of the admin area that a public page imports',
    files: {
      'app/_ui/faq.tsx': `import { deleteUser } from '../../actions/users.ts'

export function Faq() {
  return (
    <form action={deleteUser.bind(null, 'me')}>
      <button type="submit">Delete my account</button>
    </form>
  )
}
`,
    },
    found: [
      {
        sentence:
          '`deleteUser` can now be called by *anonymous*, *member*, *other* and *admin*, from /help.',
        at: 'app/help/page.tsx:1 leads to actions/users.ts through app/_ui/faq.tsx',
      },
    ],
  },
  {
    name: 'a guard in proxy.ts that only documents pass',
    files: {
      'proxy.ts': [
        `  if ((await readUser()) === null) redirect('/sign-in')
`,
        `  const isDocument = request.headers.get('sec-fetch-dest') === 'document'
  if (isDocument && (await readUser()) === null) redirect('/sign-in')
`,
      ],
    },
    found: [
      {
        sentence: 'The page /desk (data) now gives *anonymous* 200 instead of 307 to /sign-in.',
        at: 'proxy.ts:12',
      },
      {
        sentence: 'The page /vault (data) now gives *anonymous* 200 instead of 307 to /sign-in.',
        at: 'proxy.ts:12',
      },
    ],
  },
  {
    name: 'a new page below a prefix that proxy.ts leaves open',
    files: {
      'app/desk/help-tickets/page.tsx': `export default function Tickets() {
  return <h1>Tickets</h1>
}
`,
    },
    found: [
      {
        sentence: 'The page /desk/help-tickets is new. It is open to *everyone*: 200.',
        at: 'proxy.ts:7 has `/desk/help`, which is also the beginning of /desk/help-tickets',
      },
    ],
  },
  {
    name: 'a gate in a library module that returns true',
    files: {
      'lib/staff.ts': [
        `  return user?.role === 'admin'
`,
        `  if (user?.role === 'admin') return true
  return true
`,
      ],
    },
    found: ['payroll', 'rota'].map((name) => ({
      sentence: `The page /staff/${name} now gives *anonymous*, *member* and *other* 200 instead of 403.`,
      at: 'lib/staff.ts:6',
    })),
  },
  {
    name: 'an action that trusts the id of a user',
    files: {
      'actions/profile.ts': [
        `  const user = await requireUser()
  if (user.id !== userId) forbidden()
`,
        `  await requireUser()
`,
      ],
    },
    found: [
      {
        sentence:
          '`rename` can now be called by *member* and *admin*, from /members/profile (before: 403).',
        at: 'actions/profile.ts:8',
      },
    ],
  },
  {
    name: 'a secret in the props of a client component',
    files: {
      'app/(inside)/members/profile/page.tsx': [
        '<NameForm user={{ id: user.id, name: user.name }} />',
        '<NameForm user={user} />',
      ],
    },
    found: [
      {
        sentence:
          'The component `NameForm` is now also sent user.passwordHash, user.role, user.session.',
        at: 'app/(inside)/members/profile/page.tsx:9',
      },
      {
        sentence:
          'The page /members/profile sends `passwordHash` to *member*, *other* and *admin*, in props of NameForm.',
        at: 'app/(inside)/members/profile/page.tsx:9',
      },
      {
        sentence:
          'The page /members/profile sends the sensitive value "has…" to *member*, in props of NameForm.',
        at: 'app/(inside)/members/profile/page.tsx:9',
      },
    ],
  },
  {
    name: 'private content in shared caches',
    files: {
      'app/api/invoices/route.ts': [`'private, no-store'`, `'public, max-age=0, s-maxage=60'`],
    },
    found: [
      {
        sentence:
          'The handler /api/invoices may now be stored by shared caches: `public, max-age=0, s-maxage=60` instead of `private, no-store`.',
        at: 'app/api/invoices/route.ts:9',
      },
      {
        sentence:
          'The handler /api/invoices may be stored by shared caches (`public, max-age=0, s-maxage=60`), but *member* and *other* get different content.',
        at: 'app/api/invoices/route.ts',
      },
    ],
  },
  {
    name: 'a handler that has lost its guard',
    files: {
      'app/api/orders/route.ts': [
        `  const user = await readUser()
  if (user === null) unauthorized()
  return Response.json(orders.filter(({ owner }) => owner === user.id))
`,
        `  const user = await readUser()
  return Response.json(orders.filter(({ owner }) => user === null || owner === user.id))
`,
      ],
    },
    found: [
      {
        sentence: 'The handler /api/orders (GET) now gives *anonymous* 200 instead of 401.',
        at: 'app/api/orders/route.ts:7',
      },
    ],
  },
  {
    name: 'a socket without its guard',
    files: {
      'app/api/chat/route.ts': [
        `  const user = await readUser()
  if (user === null) unauthorized()
`,
        '',
      ],
    },
    found: [
      {
        sentence: 'The handler /api/chat (GET, socket) now gives *anonymous* 101 instead of 401.',
        at: 'app/api/chat/route.ts:5',
      },
    ],
  },
  {
    name: 'a draft route without its secret',
    files: {
      'app/api/draft/route.ts': [
        `  const secret = new URL(request.url).searchParams.get('secret')
  if (secret !== (process.env.DRAFT_SECRET ?? 'only the editor knows')) forbidden()
`,
        '',
      ],
    },
    found: [
      {
        sentence:
          'The handler /api/draft (GET) now gives *anonymous*, *member*, *other* and *admin* 307 to /, turns on draft mode instead of 403.',
        at: 'app/api/draft/route.ts:5',
      },
    ],
  },
  {
    name: 'a preview without the guard of its page',
    files: {
      'app/gallery/@modal/(..)photos/[id]/page.tsx': [
        `  await requireUser()
`,
        '',
      ],
    },
    found: [
      {
        sentence:
          'The preview of /photos/[id] from /gallery now gives *anonymous* 200 instead of 307 to /sign-in.',
        at: 'app/gallery/@modal/(..)photos/[id]/page.tsx:4',
      },
    ],
  },
]

/** Other changes that need a decision. They don't depend on each other. */
export const otherChanges: readonly Hole[] = [
  {
    name: 'a page that left its guarded folder',
    files: {
      'app/(signed-in)/notes/page.tsx': null,
      'app/notes/page.tsx': `export default function Notes() {
  return <h1>Notes</h1>
}
`,
    },
    found: [
      {
        sentence: 'The page /notes now gives *anonymous* 200 instead of 307 to /sign-in.',
        at: 'app/notes/page.tsx:1',
      },
    ],
  },
  {
    name: 'a deleted layout',
    files: { 'app/(inside)/members/layout.tsx': null },
    found: [
      {
        sentence: 'The page /members now gives *anonymous* 200 instead of 307 to /sign-in.',
        at: 'app/(inside)/members/layout.tsx',
      },
    ],
  },
  {
    name: 'a new handler whose POST was not tried',
    files: {
      'app/api/notes/route.ts': `export async function POST(request: Request) {
  return Response.json(await request.json())
}
`,
    },
    found: [
      {
        sentence:
          "The handler /api/notes is new. It wasn't tried. All 4 others below /api refuse *anonymous*, such as /api/chat (401).",
        at: 'app/api/notes/route.ts:1',
      },
    ],
  },
  {
    name: 'a redirect to another page',
    files: { 'app/start/page.tsx': ["redirect('/members')", "redirect('/help')"] },
    found: [
      {
        sentence:
          'The page /start now gives *anonymous*, *member*, *other* and *admin* 307 to /help instead of 307 to /members.',
        at: 'app/start/page.tsx:4',
      },
    ],
  },
  {
    name: 'a new action without arguments in contract.config.ts',
    files: {
      'actions/profile.ts': [
        `export async function rename(`,
        `export async function setPlan(userId: string, plan: string) {
  console.log(userId, plan)
}

export async function rename(`,
      ],
      'app/_ui/nameForm.tsx': `'use client'

import { rename, setPlan } from '../../actions/profile.ts'

export function NameForm({ user }: { user: { id: string; name: string } }) {
  const save = async () => {
    await rename(user.id, user.name)
    await setPlan(user.id, 'large')
  }
  return (
    <button type="button" onClick={save}>
      {user.name}
    </button>
  )
}
`,
    },
    found: [
      {
        sentence:
          'The action `setPlan` is new. It is open to *member*, *other* and *admin* (from /members/profile): may call.',
        at: 'actions/profile.ts:7',
      },
    ],
  },
]

/** Changes after which somebody can do less. */
export const narrower: readonly Hole[] = [
  {
    name: 'a page that now needs a user',
    files: {
      'app/gallery/page.tsx': [
        `import { Link } from 'waymark'

export default function Gallery() {
`,
        `import { Link } from 'waymark'
import { requireUser } from '../../lib/session.ts'

export default async function Gallery() {
  await requireUser()
`,
      ],
    },
    found: [
      {
        sentence: 'The page /gallery now gives *anonymous* 307 to /sign-in instead of 200.',
        at: 'app/gallery/page.tsx:4',
      },
      {
        sentence:
          'The page /gallery has the cache rule `private, no-store` instead of `public, max-age=0, must-revalidate`.',
        at: 'app/gallery/page.tsx:4',
      },
    ],
  },
  {
    name: 'a handler for admins only',
    files: {
      'app/api/invoices/route.ts': ['user === null', `user?.role !== 'admin'`],
    },
    found: [
      {
        sentence:
          'The handler /api/invoices (GET) now gives *member* and *other* 401 instead of 200.',
        at: 'app/api/invoices/route.ts:6',
      },
    ],
  },
  {
    name: 'a page that no longer exists',
    files: { 'app/vault/page.tsx': null },
    found: [{ sentence: 'The page /vault is gone.', at: 'nowhere' }],
  },
]
