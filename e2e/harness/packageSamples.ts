/** A sample for a package: its name, and a component that uses the package. */
export type PackageSample = {
  readonly name: string
  /** Lines above the component, such as imports. */
  readonly top: string
  /** Lines of the component before its `return`. */
  readonly body?: string
  readonly jsx: string
  /** Matches the HTML that the component must render. */
  readonly shows: RegExp
}

/** Creates a sample that calls a function of a package and shows the result. */
const call = (name: string, names: string, jsx: string, shows: RegExp): PackageSample => {
  return { name, top: `import ${names} from '${name}'`, jsx: `<p>{${jsx}}</p>`, shows }
}

/** Creates a sample that uses a hook of a package and shows one of the hook's values. */
const hook = (
  name: string,
  names: string,
  read: string,
  jsx: string,
  shows: RegExp,
): PackageSample => {
  return { name, top: `import ${names} from '${name}'`, body: read, jsx, shows }
}

/**
 * Packages with plain functions, which work the same in server components and in client components.
 */
export const functionPackages: readonly PackageSample[] = [
  {
    name: 'class-variance-authority',
    top: "import { cva } from 'class-variance-authority'\nconst button = cva('button', { variants: { size: { small: 'text-sm' } } })",
    jsx: "<p>{button({ size: 'small' })}</p>",
    shows: /button text-sm/,
  },
  call('clsx', '{ clsx }', "clsx('a', { b: true })", /a b/),
  call('date-fns', '{ format }', "format(new Date(2026, 0, 2), 'yyyy-MM-dd')", /2026-01-02/),
  call('dayjs', 'dayjs', "dayjs('2026-01-02').format('D.M.YY')", /2\.1\.26/),
  call('immer', '{ produce }', "produce({ a: 'x' }, (draft) => { draft.a = 'immer' }).a", /immer/),
  call('lodash', 'lodash', "lodash.startCase('all of lodash')", /All Of Lodash/),
  call('lodash/startCase.js', 'startCase', "startCase('one of lodash')", /One Of Lodash/),
  call('lucide-react', '{ Mountain }', '<Mountain />', /<svg[^>]+lucide-mountain/),
  call('marked', '{ marked }', "marked.parse('*marked*')", /&lt;em&gt;marked/),
  call('ms', 'ms', "ms('2 days')", /172800000/),
  call('nanoid', '{ nanoid }', "'id of ' + nanoid(8).length", /id of 8/),
  {
    name: 'react-markdown',
    top: "import Markdown from 'react-markdown'",
    jsx: '<Markdown>*marked down*</Markdown>',
    shows: /<em>marked down/,
  },
  call('superjson', 'superjson', 'superjson.stringify(new Set([1]))', /\[1\].*set/),
  call('tailwind-merge', '{ twMerge }', "twMerge('p-1 p-2 m-1')", />p-2 m-1</),
  call('uuid', '{ v5 }', "v5('waymark', v5.URL)", /[\da-f]{8}-[\da-f]{4}-5/),
  call('valibot', '* as v', "v.parse(v.string(), 'by valibot')", /by valibot/),
  call('zod', '{ z }', "z.string().parse('parsed')", /parsed/),
]

/** Packages with hooks or state, for client components. */
export const hookPackages: readonly PackageSample[] = [
  {
    name: '@hookform/resolvers',
    top: "import { zodResolver } from '@hookform/resolvers/zod'\nimport { useForm } from 'react-hook-form'\nimport { z } from 'zod'\nconst resolver = zodResolver(z.object({ field: z.string() }))",
    body: "const { register } = useForm({ resolver, defaultValues: { field: '' } })",
    jsx: '<input {...register("field")} />',
    shows: /name="field"/,
  },
  {
    name: '@tanstack/react-query',
    top: "import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'\nconst client = new QueryClient()\nfunction Inner() {\n  const { data } = useQuery({ queryKey: ['key'], queryFn: async () => 'query data' })\n  return <p>{data}</p>\n}",
    jsx: '<QueryClientProvider client={client}><Inner /></QueryClientProvider>',
    shows: /query data/,
  },
  {
    name: 'i18next',
    top: "import i18next from 'i18next'\nimport { I18nextProvider, initReactI18next, useTranslation } from 'react-i18next'\nconst i18n = i18next.createInstance()\ni18n.use(initReactI18next).init({ lng: 'en', initAsync: false, resources: { en: { translation: { hello: 'Hello i18n' } } } })\nfunction Inner() {\n  const { t } = useTranslation()\n  return <p>{t('hello')}</p>\n}",
    jsx: '<I18nextProvider i18n={i18n}><Inner /></I18nextProvider>',
    shows: /Hello i18n/,
  },
  {
    name: 'jotai',
    top: "import { atom, useAtom } from 'jotai'\nconst countAtom = atom('an atom')",
    body: 'const [value] = useAtom(countAtom)',
    jsx: '<p>{value}</p>',
    shows: /an atom/,
  },
  hook(
    'react-hook-form',
    '{ useForm }',
    "const { register } = useForm({ defaultValues: { field: 'hooked' } })",
    '<input {...register("field")} />',
    /name="field"/,
  ),
  hook(
    'react-intersection-observer',
    '{ useInView }',
    'const { ref, inView } = useInView()',
    "<p ref={ref}>{inView ? 'in view' : 'outside'}</p>",
    /in view/,
  ),
  hook(
    'react-use',
    '{ useToggle }',
    'const [on] = useToggle(true)',
    "<p>{on ? 'toggled on' : ''}</p>",
    /toggled on/,
  ),
  hook(
    'swr',
    'useSWR',
    "const { data } = useSWR('key', async () => 'swr data')",
    '<p>{data}</p>',
    /swr data/,
  ),
  hook(
    'use-debounce',
    '{ useDebounce }',
    "const [value] = useDebounce('debounced', 10)",
    '<p>{value}</p>',
    /debounced/,
  ),
  hook(
    'usehooks-ts',
    '{ useBoolean }',
    'const { value } = useBoolean(true)',
    '<p>boolean {String(value)}</p>',
    /boolean .*true/,
  ),
  {
    name: 'zustand',
    top: "import { create } from 'zustand'\nconst useStore = create(() => ({ bears: 'three bears' }))",
    body: 'const bears = useStore((state) => state.bears)',
    jsx: '<p>{bears}</p>',
    shows: /three bears/,
  },
]

/** Packages with components. Some include styles, and some are CommonJS. */
export const componentPackages: readonly PackageSample[] = [
  {
    name: '@dnd-kit/core',
    top: "import { DndContext, useDraggable } from '@dnd-kit/core'\nfunction Inner() {\n  const { attributes, listeners, setNodeRef } = useDraggable({ id: 'a' })\n  return <p ref={setNodeRef} {...listeners} {...attributes}>draggable</p>\n}",
    jsx: '<DndContext id="dnd"><Inner /></DndContext>',
    shows: /aria-roledescription="draggable"/,
  },
  hook(
    '@floating-ui/react',
    '{ useFloating }',
    'const { refs, floatingStyles } = useFloating({ open: true })',
    '<><p ref={refs.setReference}>reference</p><i ref={refs.setFloating} style={floatingStyles}>floating</i></>',
    /transform: translate/,
  ),
  {
    name: '@radix-ui/react-dialog',
    top: "import * as Dialog from '@radix-ui/react-dialog'",
    jsx: '<Dialog.Root><Dialog.Trigger>Open</Dialog.Trigger></Dialog.Root>',
    shows: /aria-haspopup="dialog"/,
  },
  {
    name: '@radix-ui/react-tooltip',
    top: "import * as Tooltip from '@radix-ui/react-tooltip'",
    jsx: '<Tooltip.Provider><Tooltip.Root><Tooltip.Trigger>Tip</Tooltip.Trigger></Tooltip.Root></Tooltip.Provider>',
    shows: /data-state="closed"/,
  },
  {
    name: 'cmdk',
    top: "import { Command } from 'cmdk'",
    jsx: '<Command label="Menu"><Command.Input /><Command.List><Command.Item>Item</Command.Item></Command.List></Command>',
    shows: /cmdk-item/,
  },
  hook(
    'embla-carousel-react',
    'useEmblaCarousel',
    'const [ref, api] = useEmblaCarousel()',
    "<div ref={ref}><div><p>{api ? 'carousel' : 'none'}</p></div></div>",
    /carousel/,
  ),
  {
    name: 'leaflet',
    top: "import 'leaflet/dist/leaflet.css'\nimport { useEffect, useRef } from 'react'",
    body: `const box = useRef(null)
  useEffect(() => {
    let map
    let isGone = false
    // Import leaflet in the browser only, because its module uses window.
    import('leaflet').then(({ map: createMap }) => {
      if (!isGone) map = createMap(box.current).setView([0, 0], 1)
    })
    return () => {
      isGone = true
      map?.remove()
    }
  }, [])`,
    jsx: '<div ref={box} style={{ height: 50 }} />',
    shows: /leaflet-container/,
  },
  {
    name: 'motion',
    top: "import { motion } from 'motion/react'",
    jsx: '<motion.p initial={{ opacity: 0 }} animate={{ opacity: 1 }}>moved</motion.p>',
    shows: /opacity: 1/,
  },
  {
    name: 'react-day-picker',
    top: "import 'react-day-picker/style.css'\nimport { DayPicker } from 'react-day-picker'",
    jsx: '<DayPicker month={new Date(2026, 0)} today={new Date(2026, 0, 5)} />',
    shows: /January 2026/,
  },
  hook(
    'react-dropzone',
    '{ useDropzone }',
    'const { getInputProps } = useDropzone()',
    '<input {...getInputProps()} />',
    /type="file"/,
  ),
  {
    name: 'react-error-boundary',
    top: "import { ErrorBoundary } from 'react-error-boundary'",
    jsx: '<ErrorBoundary fallback={null}><p>within bounds</p></ErrorBoundary>',
    shows: /within bounds/,
  },
  {
    name: 'react-hot-toast',
    top: "import toast, { Toaster } from 'react-hot-toast'\nimport { useEffect } from 'react'",
    body: "useEffect(() => { toast('hot toast', { id: 'one', duration: Number.POSITIVE_INFINITY }) }, [])",
    jsx: '<Toaster />',
    shows: /hot toast/,
  },
  {
    name: 'sonner',
    top: "import { Toaster, toast } from 'sonner'\nimport { useEffect } from 'react'",
    body: "useEffect(() => { toast('sonner toast', { id: 'one', duration: Number.POSITIVE_INFINITY }) }, [])",
    jsx: '<Toaster />',
    shows: /sonner toast/,
  },
  {
    name: 'vaul',
    top: "import { Drawer } from 'vaul'",
    jsx: '<Drawer.Root><Drawer.Trigger>Drawer</Drawer.Trigger></Drawer.Root>',
    shows: /aria-haspopup="dialog"/,
  },
]
