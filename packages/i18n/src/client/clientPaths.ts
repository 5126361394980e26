import { config } from 'virtual:waymark-i18n/config'
import { createLocalizedPaths } from '../shared/localizedPaths.ts'

export const clientPaths = createLocalizedPaths(config)
