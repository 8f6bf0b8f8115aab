# Include this file, or copy the rule: include: "stablek.smk"
# Settings go into config: stablek: {args: "-m fc -k 2:10"}


rule stablek:
    input:
        "data/{name}.tsv",
    output:
        result="results/{name}/result.json",
        labels="results/{name}/labels.tsv",
        curve="results/{name}/curve.tsv",
        report="results/{name}/report.html",
        multiqc="results/{name}/stablek_mqc.json",
        versions="results/{name}/versions.yml",
    params:
        args=config.get("stablek", {}).get("args", ""),
    log:
        "logs/stablek/{name}.log",
    threads: 2
    resources:
        mem_mb=4000,
    retries: 1  # exit code 75: nothing is lost, and the same command goes on
    shell:
        "stablek run {input} {params.args} --jobs {threads} --memory {resources.mem_mb}M"
        " --log {log} --quiet -o results/{wildcards.name} > /dev/null"
