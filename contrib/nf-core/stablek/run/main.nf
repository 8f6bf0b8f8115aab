process STABLEK_RUN {
    tag "$meta.id"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"

    input:
    tuple val(meta), path(table)

    output:
    tuple val(meta), path("${prefix}/result.json"), emit: result
    tuple val(meta), path("${prefix}/labels.tsv"), emit: labels
    tuple val(meta), path("${prefix}/curve.tsv"), emit: curve
    tuple val(meta), path("${prefix}/report.html"), emit: report
    tuple val(meta), path("${prefix}/stablek_mqc.json"), emit: multiqc
    tuple val("${task.process}"), val('stablek'), eval("stablek --version | sed 's/stablek //'"), topic: versions, emit: versions_stablek

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    def memory = task.memory ? "--memory ${task.memory.toGiga()}G" : ''
    prefix = task.ext.prefix ?: "${meta.id}"
    """
    stablek run ${table} ${args} --jobs ${task.cpus} ${memory} --log ${prefix}.log --quiet -o ${prefix}
    """

    stub:
    def args = task.ext.args ?: ''
    prefix = task.ext.prefix ?: "${meta.id}"
    """
    stablek run ${table} ${args} --stub -o ${prefix}
    """
}
