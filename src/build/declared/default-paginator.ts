import type { AnyPaginator } from '../../pagination/paginator.js'
import { numberPage } from '../../pagination/paginator.js'
import type { AnyResource } from '../../resource/resource-types.js'
import type { ServerSettings } from './server-settings.js'

/** The paginator of collections that say nothing. The built-in one is off where its largest page is nothing. */
export function defaultPaginator({
  pagination,
  maxPageSize = 100,
}: Pick<ServerSettings<readonly AnyResource[]>, 'pagination' | 'maxPageSize'>): AnyPaginator | null {
  if (pagination !== undefined) return pagination
  return maxPageSize === 0 ? null : numberPage({ maxSize: maxPageSize })
}
