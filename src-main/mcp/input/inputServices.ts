import { readMetaAsIs } from '../../store/files/readAsIs.ts';
import { SessionFolder } from '../../store/record/SessionFolder.ts';
import { InputLeases } from './InputLeases.ts';
import { InputService, type SendDeps } from './InputService.ts';
import { OwnTerminals, type OwnTerminalsDeps } from './OwnTerminals.ts';
import { ResizeService } from './ResizeService.ts';

export type { OwnTerminalsDeps };

type Deps = Omit<SendDeps, 'leases'> &
  ConstructorParameters<typeof InputLeases>[0] &
  Omit<OwnTerminalsDeps, 'ownerOf'> & { readonly dataFolder: string };

export interface InputServices {
  readonly leases: InputLeases;
  readonly send: InputService;
  readonly size: ResizeService;
  readonly own: OwnTerminals;
}

/** Creates the services with which clients type, and the registry of their own terminals. */
export function inputServices(deps: Deps): InputServices {
  const leases = new InputLeases(deps);
  const metaOf = (id: string) => readMetaAsIs(new SessionFolder(deps.dataFolder, id));
  return {
    leases,
    send: new InputService({ ...deps, leases }),
    size: new ResizeService({ ...deps, leases }),
    own: new OwnTerminals({ ...deps, ownerOf: async (id) => (await metaOf(id))?.owner ?? null }),
  };
}
