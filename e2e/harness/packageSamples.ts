/** A package, as a client component shows it. */
export type PackageSample = {
  readonly name: string
  /** Lines before the component. */
  readonly top: string
  /** Lines before its `return`. */
  readonly body?: string
  readonly jsx: string
  /** Found in the page's `<main>`, its HTML. */
  readonly shows: RegExp
}

/** A function of a package, with what it returns. */
const call = (name: string, names: string, jsx: string, shows: RegExp): PackageSample => {
  return { name, top: `import ${names} from '${name}'`, jsx: `<p>{${jsx}}</p>`, shows }
}

/** Packages that the workspace has: small ones, of each kind. */
export const fewPackages: readonly PackageSample[] = [
  call('clsx', '{ clsx }', "clsx('a', { b: true })", /a b/),
  call('date-fns', '{ format }', "format(new Date(2026, 0, 2), 'yyyy-MM-dd')", /2026-01-02/),
  call('dayjs', 'dayjs', "dayjs('2026-01-02').format('D.M.YY')", /2\.1\.26/),
  call('immer', '{ produce }', "produce({ a: 'x' }, (draft) => { draft.a = 'immer' }).a", /immer/),
  call('zod', '{ z }', "z.string().parse('parsed')", /parsed/),
  {
    name: 'react-hook-form',
    top: "import { useForm } from 'react-hook-form'",
    body: "const { register } = useForm({ defaultValues: { field: 'hooked' } })",
    jsx: '<input {...register("field")} />',
    shows: /name="field"/,
  },
  {
    name: 'swr',
    top: "import useSWR from 'swr'",
    body: "const { data } = useSWR('key', async () => 'swr data')",
    jsx: '<p>{data}</p>',
    shows: /swr data/,
  },
  {
    name: 'zustand',
    top: "import { create } from 'zustand'\nconst useStore = create(() => ({ bears: 'three bears' }))",
    body: 'const bears = useStore((state) => state.bears)',
    jsx: '<p>{bears}</p>',
    shows: /three bears/,
  },
]
