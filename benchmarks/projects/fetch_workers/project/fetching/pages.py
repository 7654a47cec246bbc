"""Pages and what they link to."""

from .pool import Pool


async def fetch_all(fetch, addresses, workers=2):
    async with Pool(fetch, workers) as pool:
        for address in addresses:
            pool.submit(address)
    return pool.results, pool.errors


async def sizes(fetch, addresses):
    results, _ = await fetch_all(fetch, addresses)
    return {address: len(text) for address, text in results.items()}
