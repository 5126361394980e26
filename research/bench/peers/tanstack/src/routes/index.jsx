import { createFileRoute } from '@tanstack/react-router'
import { StaticPage } from '../../shared/static.tsx'

export const Route = createFileRoute('/')({ component: StaticPage })
