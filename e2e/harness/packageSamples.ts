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

/** A component of a package. */
const element = (name: string, names: string, jsx: string, shows: RegExp): PackageSample => {
  return { name, top: `import ${names} from '${name}'`, jsx, shows }
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

/** The others, which are installed on demand. */
export const morePackages: readonly PackageSample[] = [
  call('lodash', '_', '_.chunk([1, 2, 3], 2).length', /<p>2/),
  {
    name: '@tanstack/react-query',
    top: "import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'\nconst client = new QueryClient()\nfunction Data() {\n  const { data } = useQuery({ queryKey: ['a'], queryFn: async () => 'queried' })\n  return <p>{data}</p>\n}",
    jsx: '<QueryClientProvider client={client}><Data /></QueryClientProvider>',
    shows: /queried/,
  },
  {
    name: 'jotai',
    top: "import { atom, useAtom } from 'jotai'\nconst count = atom('an atom')",
    body: 'const [value] = useAtom(count)',
    jsx: '<p>{value}</p>',
    shows: /an atom/,
  },
  element('motion/react', '{ motion }', '<motion.p animate={{ x: 0 }}>moved</motion.p>', /moved/),
  call('tailwind-merge', '{ twMerge }', "twMerge('p-1 p-2')", /<p>p-2/),
  call('class-variance-authority', '{ cva }', "cva('base', {})()", /base/),
  element('lucide-react', '{ Mountain }', '<Mountain />', /lucide-mountain/),
  element('react-icons/fa', '{ FaBeer }', '<FaBeer />', /<svg/),
  {
    name: '@radix-ui/react-dialog',
    top: "import * as Dialog from '@radix-ui/react-dialog'",
    jsx: '<Dialog.Root><Dialog.Trigger>Open it</Dialog.Trigger></Dialog.Root>',
    shows: /aria-haspopup="dialog"/,
  },
  {
    name: '@radix-ui/react-tooltip',
    top: "import * as Tip from '@radix-ui/react-tooltip'",
    jsx: '<Tip.Provider><Tip.Root><Tip.Trigger>Hover</Tip.Trigger></Tip.Root></Tip.Provider>',
    shows: /Hover/,
  },
  element(
    '@headlessui/react',
    '{ Switch }',
    '<Switch checked={true} onChange={() => {}} />',
    /role="switch"/,
  ),
  element('@mui/material', '{ Button }', '<Button variant="contained">MUI</Button>', /MuiButton/),
  {
    name: '@emotion/styled',
    top: "import styled from '@emotion/styled'\nconst Red = styled.p`color: red;`",
    jsx: '<Red>emotion</Red>',
    shows: /class="[^"]*css-|emotion/,
  },
  {
    name: 'styled-components',
    top: "import { styled } from 'styled-components'\nconst Blue = styled.p`color: blue;`",
    jsx: '<Blue>styled</Blue>',
    shows: /styled/,
  },
  element(
    'react-select',
    'Select',
    '<Select instanceId="one" options={[]} placeholder="Choose" />',
    /Choose/,
  ),
  element(
    'recharts',
    '{ LineChart, Line }',
    '<LineChart width={200} height={100} data={[{ v: 1 }, { v: 2 }]}><Line dataKey="v" isAnimationActive={false} /></LineChart>',
    /recharts-line/,
  ),
  {
    name: 'swiper',
    top: "import { Swiper, SwiperSlide } from 'swiper/react'\nimport 'swiper/css'",
    jsx: '<Swiper><SwiperSlide>slide</SwiperSlide></Swiper>',
    shows: /swiper-slide/,
  },
  call('uuid', '{ validate }', "String(validate('no'))", /false/),
  call('nanoid', '{ nanoid }', 'nanoid(7).length', /<p>7/),
  call('axios', 'axios', "axios.getUri({ url: '/a', params: { b: 1 } })", /\/a\?b=1/),
  call('ky', 'ky', 'typeof ky.get', /function/),
  {
    name: 'react-redux',
    top: "import { configureStore } from '@reduxjs/toolkit'\nimport { Provider, useSelector } from 'react-redux'\nconst store = configureStore({ reducer: () => 'reduced' })\nfunction Data() {\n  return <p>{useSelector((state) => state as string)}</p>\n}",
    jsx: '<Provider store={store}><Data /></Provider>',
    shows: /reduced/,
  },
  element('sonner', '{ Toaster }', '<><Toaster /><p>toasts</p></>', /toasts/),
  element('cmdk', '{ Command }', '<Command label="menu"><Command.Input /></Command>', /cmdk-input/),
  element(
    'vaul',
    '{ Drawer }',
    '<Drawer.Root><Drawer.Trigger>Pull</Drawer.Trigger></Drawer.Root>',
    /Pull/,
  ),
  {
    name: 'embla-carousel-react',
    top: "import useEmbla from 'embla-carousel-react'",
    body: 'const [ref] = useEmbla()',
    jsx: '<div ref={ref}><div>carousel</div></div>',
    shows: /carousel/,
  },
  element(
    'react-day-picker',
    '{ DayPicker }',
    '<DayPicker month={new Date(2026, 0)} />',
    /January 2026/,
  ),
  element(
    '@dnd-kit/core',
    '{ DndContext }',
    '<DndContext id="one"><p>drag</p></DndContext>',
    /drag/,
  ),
  element('react-markdown', 'Markdown', '<Markdown>{"# Title"}</Markdown>', /<h1>Title/),
  call('marked', '{ marked }', "String(marked.parse('*a*'))", /em/),
  call('highlight.js', 'hljs', "hljs.highlight('let a', { language: 'js' }).language", /js/),
  call('three', '{ Vector3 }', 'String(new Vector3(3, 4, 0).length())', /<p>5/),
]
